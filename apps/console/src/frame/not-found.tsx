import { useNavigate } from '@tanstack/react-router';
import type { SubmitEvent } from 'react';
import { useMay } from '../api/use-session';
import { Button } from '../parts/button';
import { TextField } from '../parts/field';
import { Empty } from '../parts/notes';
import { texts } from '../texts';
import './not-found.css';
import { useTitle } from '../parts/use-title';

/** An address that no screen has: says so, and searches the chargers. */
export function NotFound() {
  useTitle(texts.notFound.title);
  const maySearch = useMay('chargers:read');
  const navigate = useNavigate();
  function search(event: SubmitEvent<HTMLFormElement>): void {
    event.preventDefault();
    const value = new FormData(event.currentTarget).get('search');
    void navigate({ to: '/', search: { search: typeof value === 'string' && value !== '' ? value : undefined } });
  }
  return (
    <Empty title={texts.notFound.title} isWhole>
      <p>{maySearch ? texts.notFound.text : texts.notFound.textWithoutSearch}</p>
      {maySearch && (
        <form className="not-found-form" onSubmit={search} role="search">
          <TextField label={texts.notFound.label} name="search" type="search" />
          <Button kind="primary" type="submit">
            {texts.notFound.submit}
          </Button>
        </form>
      )}
    </Empty>
  );
}
