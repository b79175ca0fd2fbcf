import type { FeedbackReader } from '../domain/feedback.ts';
import { resendFeedback } from './feedback-resend.ts';
import { sesFeedback } from './feedback-ses.ts';

interface FeedbackSettings {
  /** The signing secrets of Resend's webhook; none: its calls are not taken. */
  resendWebhookSecrets: string[];
  /** The topic that Amazon SES publishes to; absent: its calls are not taken. */
  sesTopicArn?: string;
}

/**
 * Who may tell of bounces and complaints by a call, under the name that ends its address, `/webhooks/mail/:name`. A further
 * carrier is a file beside this one, and a line here.
 */
export function feedbackReaders(
  { resendWebhookSecrets: secrets, sesTopicArn: topicArn }: FeedbackSettings,
  now: () => string,
  log: (message: string, context: Record<string, unknown>) => void,
): ReadonlyMap<string, FeedbackReader> {
  return new Map([
    ...(secrets.length > 0 ? [['resend', resendFeedback(secrets, now)] as const] : []),
    ...(topicArn === undefined ? [] : [['ses', sesFeedback({ topicArn, now, log })] as const]),
  ]);
}
