import { useQueryClient } from '@tanstack/react-query';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { useFeed } from '../../live/live';
import { Button } from '../../parts/button';
import { OcppAddress } from '../../parts/ocpp-address';
import { texts } from '../../texts';
import './first-steps.css';

interface FirstStepsProps {
  readonly hasSite: boolean;
  /** Undefined where the key may not register chargers. */
  readonly onRegister: (() => void) | undefined;
}

/** In place of an empty list: what to do, with this deployment's own address. */
export function FirstSteps({ hasSite, onRegister }: FirstStepsProps) {
  const { steps } = texts.fleet;
  const client = useQueryClient();
  const readAnew = () => void client.invalidateQueries({ queryKey: ['statistics'] });
  useFeed({ types: ['charger.created'] }, readAnew, readAnew);
  return (
    <section className="first-steps">
      <h2>{texts.fleet.empty}</h2>
      <p className="muted">{texts.fleet.emptyText}</p>
      <ol>
        <Step number={1} title={steps.site} text={steps.siteText} isDone={hasSite} />
        <Step number={2} title={steps.charger} text={steps.chargerText}>
          {onRegister !== undefined && (
            <Button kind="primary" onClick={onRegister}>
              {texts.fleet.newCharger}
            </Button>
          )}
        </Step>
        <Step number={3} title={steps.connect} text={steps.connectText}>
          <OcppAddress />
        </Step>
      </ol>
    </section>
  );
}

interface StepProps {
  readonly number: number;
  readonly title: string;
  readonly text: string;
  readonly isDone?: boolean;
  readonly children?: ReactNode;
}

function Step({ number, title, text, isDone = false, children }: StepProps) {
  return (
    <li className="first-step">
      <span className={isDone ? 'step-number step-done' : 'step-number'} aria-hidden>
        {isDone ? <Check /> : number}
      </span>
      <div>
        <h3>{title}</h3>
        <p className="muted">{text}</p>
        {children}
      </div>
    </li>
  );
}
