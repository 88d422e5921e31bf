import { useEffect } from 'react';
import { texts } from '../texts';
import { useAnnounce } from './announcer';
import { Button } from './button';
import './change-bar.css';

interface ChangeBarProps {
  readonly count: number;
  readonly text: string;
  readonly onShow: () => void;
}

/** Says what a list read anew would show; until the reader asks, the list stays as it is. */
export function ChangeBar({ count, text, onShow }: ChangeBarProps) {
  const announce = useAnnounce();
  useEffect(() => {
    if (count > 0) announce(text);
  }, [announce, count, text]);
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
