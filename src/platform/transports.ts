import type { TransportSetup } from '../domain/transport.ts';
import { cloudflareTransport } from './transport-cloudflare.ts';
import { outboxTransport } from './transport-outbox.ts';
import { resendTransport } from './transport-resend.ts';
import { smtpTransport } from './transport-smtp.ts';

/** What MAIL_TRANSPORT may name. A further transport is a file beside this one, and a line here. */
export const transports: Readonly<Record<string, TransportSetup>> = {
  outbox: outboxTransport,
  smtp: smtpTransport,
  resend: resendTransport,
  cloudflare: cloudflareTransport,
};
