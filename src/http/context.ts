import type { Context } from 'hono';
import type { CallDeps } from '../app/call.ts';
import type { ConfirmationDeps } from '../app/confirmations.ts';
import type { FeedbackDeps } from '../app/feedback.ts';
import type { ImportDeps } from '../app/import.ts';
import type { PreferencesDeps } from '../app/preferences.ts';
import type { FeedbackReader } from '../domain/feedback.ts';
import type { OutboxMessage } from '../domain/transport.ts';
import type { Config } from '../env.ts';

/** What handlers work with; deps.ts builds it. */
export interface HttpDeps extends CallDeps, ConfirmationDeps, PreferencesDeps, ImportDeps, FeedbackDeps {
  config: Config;
  outbox: {
    list(limit: number): Promise<OutboxMessage[]>;
    read(id: string): Promise<(OutboxMessage & { raw: string }) | undefined>;
  };
  /** Who may tell of bounces and complaints, by the last part of its address. */
  feedbackReaders: ReadonlyMap<string, FeedbackReader>;
  /** Whether a call proves itself, and the id it goes by. */
  checkProof(body: Uint8Array<ArrayBuffer>, headers: Headers): Promise<{ id: string } | { fault: string }>;
  /** Whether a client has not asked too often. */
  allowsClient(address: string): Promise<boolean>;
  /** Whether a Turnstile response is good; always when no key is set. */
  isHuman(response: string): Promise<boolean>;
  isAdmin(authorization: string | undefined): Promise<boolean>;
}

/** What every handler finds in its context. */
export interface AppEnv {
  Bindings: { deps: HttpDeps };
  Variables: { deps: HttpDeps };
}

export type AppContext = Context<AppEnv>;
