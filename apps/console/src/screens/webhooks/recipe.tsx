// How a receiver verifies that a request came from this service, in four languages, each with its standard library alone.
import { useState } from 'react';
import { Code } from '../../parts/json';
import { Tabs } from '../../parts/tabs';
import { webhooksTexts as words } from '../../texts/webhooks';
import java from './recipes/Verify.java?raw';
import go from './recipes/verify.go?raw';
import javascript from './recipes/verify.mjs?raw';
import python from './recipes/verify.py?raw';

const RECIPES = [
  { key: 'javascript', label: 'JavaScript', code: javascript },
  { key: 'python', label: 'Python', code: python },
  { key: 'go', label: 'Go', code: go },
  { key: 'java', label: 'Java', code: java },
] as const;

type Language = (typeof RECIPES)[number]['key'];

export function Recipe() {
  const [language, setLanguage] = useState<Language>('javascript');
  const tabs = RECIPES.map(({ key, label, code }) => ({ key, label, content: () => <Code text={code} /> }));
  return (
    <section className="card webhook-card" aria-labelledby="recipe">
      <details>
        <summary>
          <h2 id="recipe">{words.recipe}</h2>
        </summary>
        <div className="stack">
          <p className="muted">{words.recipeText}</p>
          <Tabs label={words.recipe} value={language} onChange={setLanguage} tabs={tabs} />
        </div>
      </details>
    </section>
  );
}
