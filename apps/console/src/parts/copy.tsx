import { Check, Copy } from 'lucide-react';
import { useEffect, useState } from 'react';
import { texts } from '../texts';
import { IconButton } from './button';
import './copy.css';

const SHOWN_MS = 1_500;

interface CopyProps {
  readonly text: string;
  /** Of the button; needed where there is more than one. */
  readonly label?: string | undefined;
}

/** Copies the text, and shows that it did. */
export function CopyButton({ text, label = texts.common.copy }: CopyProps) {
  const [isCopied, setCopied] = useState(false);
  useEffect(() => {
    if (!isCopied) return undefined;
    const timer = setTimeout(() => setCopied(false), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [isCopied]);
  return (
    <IconButton
      label={isCopied ? texts.common.copied : label}
      onClick={() => {
        navigator.clipboard.writeText(text).then(
          () => setCopied(true),
          () => setCopied(false),
        );
      }}
    >
      {isCopied ? <Check /> : <Copy />}
    </IconButton>
  );
}

/** A text to be copied into something else, such as an address. */
export function Copyable({ text, label }: CopyProps) {
  return (
    <span className="copyable">
      <code>{text}</code>
      <CopyButton text={text} label={label} />
    </span>
  );
}
