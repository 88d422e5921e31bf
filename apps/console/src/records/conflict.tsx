import type { ReactNode } from 'react';
import { Button } from '../parts/button';
import { DialogActions } from '../parts/dialog';
import { texts } from '../texts';
import { recordsTexts } from '../texts/records';
import { differencesOf, shownOf, type FieldValues, type RecordField } from './record-fields';
import './records.css';

const words = recordsTexts;

interface ConflictProps {
  readonly fields: readonly RecordField[];
  readonly versions: { readonly before: FieldValues; readonly stored: FieldValues; readonly own: FieldValues };
  readonly failure: ReactNode;
  readonly isBusy: boolean;
  readonly onKeepStored: () => void;
  readonly onSendOwn: () => void;
}

/** What somebody else stored meanwhile beside what the reader typed, and which of them counts. */
export function Conflict({ fields, versions, failure, isBusy, onKeepStored, onSendOwn }: ConflictProps) {
  const { before, stored, own } = versions;
  const shown = (field: RecordField, value: string | boolean) =>
    shownOf(field, value, words.yesNo) || texts.common.none;
  return (
    <div className="stack">
      {failure}
      <p role="alert">{words.conflict}</p>
      <div className="record-conflict">
        <table>
          <thead>
            <tr>
              <th scope="col">{words.field}</th>
              <th scope="col">{words.stored}</th>
              <th scope="col">{words.own}</th>
            </tr>
          </thead>
          <tbody>
            {differencesOf(fields, before, stored, own).map(({ field, ...values }) => (
              <tr key={field.name}>
                <th scope="row">{field.label}</th>
                <td>{shown(field, values.stored)}</td>
                <td>
                  {values.own === before[field.name] ? (
                    <span className="muted">{words.untouched}</span>
                  ) : (
                    shown(field, values.own)
                  )}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className="muted">{words.conflictHint}</p>
      <DialogActions>
        <Button onClick={onKeepStored}>{words.keepStored}</Button>
        <Button kind="primary" busy={isBusy} onClick={onSendOwn}>
          {words.sendOwn}
        </Button>
      </DialogActions>
    </div>
  );
}
