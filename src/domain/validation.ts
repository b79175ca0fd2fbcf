import * as z from 'zod/mini';
import en from 'zod/v4/locales/en.js';
import { type Fault, Refusal } from './errors.ts';

z.config({ ...en(), customError: (issue) => describe(issue) });

/** What is allowed, in words for the caller; undefined leaves the library's own sentence. */
function describe(issue: z.core.$ZodRawIssue): string | undefined {
  if (issue.code === 'invalid_type') {
    return issue.input === undefined ? `is required (${issue.expected})` : `must be of type ${issue.expected}`;
  }
  if (issue.code === 'invalid_value') return `must be one of ${issue.values.join(', ')}`;
  if (issue.code === 'invalid_union' && Array.isArray(issue.options))
    return `must be one of ${issue.options.join(', ')}`;
  return undefined;
}

/** Every faulty place of an input, by JSON pointer (RFC 6901). */
export function faultsOf(error: z.core.$ZodError): Fault[] {
  return error.issues.flatMap(toFaults);
}

/** The input as its schema reads it. @throws Refusal naming every faulty place @param refusal what did not happen then */
export function parse<T extends z.core.$ZodType>(schema: T, input: unknown, refusal: string): z.infer<T> {
  const result = z.safeParse(schema, input);
  if (result.success) return result.data;
  throw new Refusal('invalid', refusal, faultsOf(result.error));
}

function toFaults(issue: z.core.$ZodIssue): Fault[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({ pointer: pointer([...issue.path, key]), message: 'is not a known field' }));
  }
  return [{ pointer: pointer(issue.path), message: issue.message }];
}

function pointer(path: PropertyKey[]): string {
  return path.map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}
