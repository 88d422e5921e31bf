import './wordmark.css';

export function Wordmark() {
  return (
    <span className="wordmark">
      <svg viewBox="0 0 32 32" aria-hidden>
        <rect width="32" height="32" rx="8" fill="var(--brand)" />
        <path d="M8 9h16M8 16h16M8 23h16" stroke="#fff" strokeWidth="2.5" strokeLinecap="round" />
        <circle cx="12" cy="9" r="3" fill="#fff" />
        <circle cx="20" cy="16" r="3" fill="#fff" />
        <circle cx="14" cy="23" r="3" fill="#fff" />
      </svg>
      Busbar
    </span>
  );
}
