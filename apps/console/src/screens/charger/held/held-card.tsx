import { useId, type ReactNode } from 'react';
import './held.css';

interface HeldCardProps {
  readonly title: string;
  readonly children: ReactNode;
}

export function HeldCard({ title, children }: HeldCardProps) {
  const id = useId();
  return (
    <section className="card" aria-labelledby={id}>
      <header className="held-head">
        <h2 id={id}>{title}</h2>
      </header>
      {children}
    </section>
  );
}

/** One line, where nothing is held. */
export function HeldNote({ children }: { readonly children: ReactNode }) {
  return <p className="held-note muted">{children}</p>;
}
