/** One faulty place in an input: where (a JSON pointer, RFC 6901, or a setting's name) and what is allowed there. */
export interface Fault {
  pointer: string;
  message: string;
}

/** Why a use case refuses. http/ maps each code to one status, once. */
export type RefusalCode =
  | 'unproven'
  | 'not_found'
  | 'gone'
  | 'conflict'
  | 'too_large'
  | 'unsupported_media'
  | 'invalid'
  | 'unavailable';

/** An expected refusal whose message is meant for the caller; anything else thrown is a bug and stays in the log. */
export class Refusal extends Error {
  readonly code: RefusalCode;
  readonly faults: Fault[];
  constructor(code: RefusalCode, message: string, faults: Fault[] = []) {
    super(message);
    this.name = 'Refusal';
    this.code = code;
    this.faults = faults;
  }
}
