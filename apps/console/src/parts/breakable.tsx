import { Fragment } from 'react';

/** A name without spaces, such as the type of an event: in a narrow place it breaks behind a `.` or `_` before it breaks elsewhere. */
export function Breakable({ text }: { readonly text: string }) {
  return text.split(/(?<=[._])/).map((part, n) => (
    <Fragment key={n}>
      {n > 0 && <wbr />}
      {part}
    </Fragment>
  ));
}
