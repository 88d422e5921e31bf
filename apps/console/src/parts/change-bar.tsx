import { texts } from '../texts';
import { useAnnounced } from './announcer';
import { Button } from './button';
import './change-bar.css';

interface ChangeBarProps {
  readonly count: number;
  readonly text: string;
  readonly onShow: () => void;
}

/** Says what a list read anew would show; until the reader asks, the list stays as it is. */
export function ChangeBar({ count, text, onShow }: ChangeBarProps) {
  useAnnounced(count > 0 ? text : undefined);
  if (count === 0) return null;
  return (
    <div className="change-bar-place">
      <div className="change-bar">
        {text}
        <Button size="s" onClick={onShow}>
          {texts.fleet.show}
        </Button>
      </div>
    </div>
  );
}
