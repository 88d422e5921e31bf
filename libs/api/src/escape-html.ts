const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** A text for a place between tags or within an attribute. */
export function escapeHtml(text: string): string {
  return Array.from(text, (character) => ENTITIES[character] ?? character).join('');
}
