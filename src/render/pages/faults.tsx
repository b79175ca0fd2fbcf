import { say } from './say.tsx';
import type { Site } from './views.ts';

/** Something wrong with a field of a form. */
export interface Fault<Field extends string = string> {
  field: Field;
  message: string;
}

interface FaultsProps {
  site: Site;
  faults: Fault[];
  /** Ids of the controls that the summary leads to, by field; a field without one is only named. */
  controls: Record<string, string>;
}

/** Everything wrong with a form, above it: read out at once, each line a link to its field (WCAG 2.2, 3.3.1). */
export function FaultSummary({ site, faults, controls }: FaultsProps) {
  if (faults.length === 0) return null;
  return (
    <div class="notice" role="alert">
      <p>
        <b>{say(site, 'Please look at this again:')}</b>
      </p>
      <ul>
        {faults.map(({ field, message }) => (
          <li>{controls[field] ? <a href={`#${controls[field]}`}>{say(site, message)}</a> : say(site, message)}</li>
        ))}
      </ul>
    </div>
  );
}

/** What is wrong with one field, beside it. Its id is `faultId` of the control's. */
export function FaultNote({ site, fault, control }: { site: Site; fault: Fault | undefined; control: string }) {
  if (!fault) return null;
  return (
    <p class="fault" id={faultId(control)}>
      {say(site, fault.message)}
    </p>
  );
}

/** What ties a control to its note, and to the id of what describes it anyway. */
export function faulty(fault: Fault | undefined, control: string, about?: string) {
  if (!fault) return { 'aria-describedby': about };
  return { 'aria-invalid': 'true', 'aria-describedby': [faultId(control), about].filter(Boolean).join(' ') } as const;
}

/** The id of a control's note. */
export function faultId(control: string): string {
  return `${control}-fault`;
}
