// Something that was chosen, with a button that removes it; one of a list.
import { X } from 'lucide-react';
import './removable.css';

interface RemovableProps {
  readonly label: string;
  /** What the button does, for screen readers. */
  readonly action: string;
  readonly onRemove: () => void;
}

export function Removable({ label, action, onRemove }: RemovableProps) {
  return (
    <li>
      <button type="button" className="removable" aria-label={action} onClick={onRemove}>
        {label}
        <X aria-hidden />
      </button>
    </li>
  );
}
