/** What a column tells about a person. The names are the ones that `--map` takes. */
export const FIELDS = [
  'email',
  'status',
  'subscribed',
  'disabled',
  'subscribed_at',
  'opted_in_at',
  'confirmed_at',
  'unsubscribed_at',
  'bounced_at',
  'proof',
] as const;
export type Field = (typeof FIELDS)[number];

/** The states that an import knows, from the mildest to the strictest. */
export const STATUSES = ['active', 'unsubscribed', 'bounced', 'complained'] as const;
export type ImportStatus = (typeof STATUSES)[number];

/** A service whose exports are recognised by their column names. Names are as `columnKey` writes them. */
export interface Source {
  name: string;
  /** Sets of columns: an export of this service has all of one set. */
  signatures: string[][];
  /** The columns of each field, the best first. */
  columns: Partial<Record<Field, string[]>>;
  /** What its words for a state mean, where they are its own; `pending` was never confirmed. */
  words?: Record<string, ImportStatus | 'pending'>;
  /** Times that show that a person agreed. */
  proof: Field[];
}

/** Words for a state that mean the same everywhere. Whatever is not known is a fault, never taken for active. */
export const COMMON_WORDS: Record<string, ImportStatus | 'pending'> = {
  active: 'active',
  subscribed: 'active',
  confirmed: 'active',
  enabled: 'active',
  optedin: 'active',
  unsubscribed: 'unsubscribed',
  optedout: 'unsubscribed',
  disabled: 'unsubscribed',
  removed: 'unsubscribed',
  deleted: 'unsubscribed',
  bounced: 'bounced',
  hardbounced: 'bounced',
  undeliverable: 'bounced',
  cleaned: 'bounced',
  complained: 'complained',
  complaint: 'complained',
  spam: 'complained',
  pending: 'pending',
  unconfirmed: 'pending',
};

/** Any other file, by the names that people give such columns. A time of subscribing alone proves no consent here. */
export const OTHER: Source = {
  name: 'list of addresses',
  signatures: [],
  columns: {
    email: ['email', 'emailaddress', 'mail', 'emailadresse', 'subscriberemail'],
    status: ['status', 'subscriptionstatus'],
    subscribed_at: ['subscribedat', 'subscriptiondate', 'createdat', 'signupdate', 'datesubscribed'],
    opted_in_at: ['optintime', 'optinat', 'optindate', 'optedinat', 'consentat', 'consentdate'],
    confirmed_at: ['confirmedat', 'confirmtime', 'confirmationdate', 'confirmationtime'],
    unsubscribed_at: ['unsubscribedat', 'unsubtime', 'unsubscriptiondate', 'unsubscribedate'],
    bounced_at: ['bouncedat', 'cleantime'],
    proof: ['proof', 'consent', 'proofofconsent'],
  },
  proof: ['opted_in_at', 'confirmed_at'],
};

/**
 * Ghost, Substack and Buttondown let a person in by that person's own sign-up, so the time of it is a proof; a listmonk
 * record may have been made by an operator, and its export does not tell confirmed from unconfirmed.
 */
export const SOURCES: Source[] = [
  {
    name: 'Broadside',
    signatures: [['email', 'status', 'subscribedat', 'confirmedat', 'unsubscribedat', 'proof']],
    columns: {
      email: ['email'],
      status: ['status'],
      subscribed_at: ['subscribedat'],
      confirmed_at: ['confirmedat'],
      unsubscribed_at: ['unsubscribedat'],
      proof: ['proof'],
    },
    proof: ['confirmed_at'],
  },
  {
    // Three files, one for each state; the state is in the file's name and in the columns that only it has.
    name: 'Mailchimp',
    signatures: [['optintime', 'confirmtime']],
    columns: {
      email: ['emailaddress', 'email'],
      opted_in_at: ['optintime'],
      confirmed_at: ['confirmtime'],
      unsubscribed_at: ['unsubtime'],
      bounced_at: ['cleantime'],
    },
    proof: ['opted_in_at', 'confirmed_at'],
  },
  {
    name: 'Ghost',
    signatures: [['email', 'subscribedtoemails']],
    columns: {
      email: ['email'],
      subscribed: ['subscribedtoemails'],
      subscribed_at: ['createdat'],
      unsubscribed_at: ['deletedat'],
    },
    proof: ['subscribed_at'],
  },
  {
    // `active_subscription`, `plan`, `Type` and `Cancel date` are about money: whoever stops to pay still reads.
    name: 'Substack',
    signatures: [
      ['email', 'emaildisabled'],
      ['email', 'startdate', 'stripeplan'],
      ['email', 'startdate', 'subscriptionsourcefree'],
      ['email', 'startdate', 'emailsopened6mo'],
    ],
    columns: {
      email: ['email'],
      disabled: ['emaildisabled'],
      subscribed_at: ['createdat', 'startdate'],
    },
    proof: ['subscribed_at'],
  },
  {
    name: 'Buttondown',
    signatures: [
      ['emailaddress', 'type', 'creationdate'],
      ['email', 'type', 'creationdate'],
      ['emailaddress', 'subscribertype'],
      ['email', 'subscribertype'],
    ],
    columns: {
      email: ['emailaddress', 'email'],
      status: ['type', 'subscribertype'],
      subscribed_at: ['creationdate'],
      unsubscribed_at: ['unsubscriptiondate'],
      bounced_at: ['undeliverabilitydate'],
    },
    words: {
      regular: 'active',
      premium: 'active',
      gifted: 'active',
      trialed: 'active',
      unpaid: 'active',
      churning: 'active',
      churned: 'active',
      pastdue: 'active',
      // A pause of the payment; the mail goes on.
      paused: 'active',
      unactivated: 'pending',
      // Turned away by a filter before they were in.
      blocked: 'pending',
      spammy: 'pending',
      malformed: 'bounced',
    },
    proof: ['subscribed_at'],
  },
  {
    name: 'listmonk',
    signatures: [['uuid', 'email', 'status']],
    columns: { email: ['email'], status: ['status'], subscribed_at: ['createdat'] },
    // Blocklisted for bounces, for complaints or by the person's own wish: the export does not say which.
    words: { blocklisted: 'complained', blacklisted: 'complained' },
    proof: [],
  },
];
