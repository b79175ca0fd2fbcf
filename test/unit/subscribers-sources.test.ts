import { describe, expect, test } from 'vitest';
import { describeLayout, recogniseLayout } from '../../src/build/subscribers-columns.ts';
import { readRow, type Verdict } from '../../src/build/subscribers-row.ts';
import type { Field, ImportStatus } from '../../src/build/subscribers-sources.ts';

interface Sample {
  header: string;
  record: string;
  file?: string;
  status?: ImportStatus;
  map?: [Field, string][];
}

function layoutOf({ header, file = 'people.csv', status, map = [] }: Omit<Sample, 'record'>) {
  return recogniseLayout(file, header.split(','), new Map(map), status);
}

function verdictOf(sample: Sample): Verdict {
  return readRow({ line: 7, fields: sample.record.split(',') }, layoutOf(sample));
}

const MAILCHIMP =
  'Email Address,First Name,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CONFIRM_IP,LAST_CHANGED,LEID';
const MAILCHIMP_LEFT = 'Email Address,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,UNSUB_TIME,UNSUB_REASON,LEID';
const MAILCHIMP_CLEANED = 'Email Address,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,CONFIRM_TIME,CLEAN_TIME,LEID';
const GHOST =
  'id,email,name,note,subscribed_to_emails,complimentary_plan,stripe_customer_id,created_at,deleted_at,labels,tiers';
const SUBSTACK = 'email,active_subscription,expiry,plan,email_disabled,created_at,first_payment_at';
const SUBSTACK_TABLE = 'Email,Name,Stripe plan,Cancel date,Start date,Paid upgrade date,Activity,Type';
const BUTTONDOWN = 'email_address,notes,tags,type,creation_date,unsubscription_date';
const LISTMONK = 'uuid,email,name,attributes,status,created_at,updated_at';
const BROADSIDE = 'email,status,subscribed_at,confirmed_at,unsubscribed_at,proof';

describe('an export becomes a row', () => {
  test.each<[string, Sample, object]>([
    [
      'Mailchimp, subscribed',
      {
        header: MAILCHIMP,
        record:
          'ana@TIDE.example,Ana,4,2024-03-01 09:10:11,203.0.113.9,2024-03-01 09:12:00,203.0.113.9,2025-01-01 00:00:00,1',
      },
      {
        email: 'ana@tide.example',
        status: 'active',
        subscribedAt: '2024-03-01T09:10:11Z',
        confirmedAt: '2024-03-01T09:12:00Z',
        proof: 'OPTIN_TIME 2024-03-01T09:10:11Z, CONFIRM_TIME 2024-03-01T09:12:00Z (Mailchimp)',
      },
    ],
    [
      'Mailchimp, unsubscribed',
      { header: MAILCHIMP_LEFT, record: 'bo@tide.example,2,,,2020-02-02 10:00:00,2021-05-05 11:00:00,,2' },
      {
        email: 'bo@tide.example',
        status: 'unsubscribed',
        subscribedAt: '2020-02-02T10:00:00Z',
        confirmedAt: '2020-02-02T10:00:00Z',
        unsubscribedAt: '2021-05-05T11:00:00Z',
        proof: 'CONFIRM_TIME 2020-02-02T10:00:00Z (Mailchimp)',
      },
    ],
    [
      'Mailchimp, cleaned',
      { header: MAILCHIMP_CLEANED, record: 'cy@tide.example,1,,,,2022-06-06 12:00:00,3' },
      { email: 'cy@tide.example', status: 'bounced', unsubscribedAt: '2022-06-06T12:00:00Z' },
    ],
    [
      'Ghost, subscribed',
      { header: GHOST, record: '65a,dee@tide.example,Dee,,true,false,,2024-01-15T10:00:00.000Z,,,' },
      {
        email: 'dee@tide.example',
        status: 'active',
        subscribedAt: '2024-01-15T10:00:00Z',
        proof: 'created_at 2024-01-15T10:00:00Z (Ghost)',
      },
    ],
    [
      'Ghost, unsubscribed',
      { header: GHOST, record: '65b,eve@tide.example,,,false,false,,2024-01-15T10:00:00.000Z,,,' },
      {
        email: 'eve@tide.example',
        status: 'unsubscribed',
        subscribedAt: '2024-01-15T10:00:00Z',
        proof: 'created_at 2024-01-15T10:00:00Z (Ghost)',
      },
    ],
    [
      'Substack, reading',
      { header: SUBSTACK, record: 'fay@tide.example,false,,other,false,2023-08-09T07:06:05.432Z,' },
      {
        email: 'fay@tide.example',
        status: 'active',
        subscribedAt: '2023-08-09T07:06:05Z',
        proof: 'created_at 2023-08-09T07:06:05Z (Substack)',
      },
    ],
    [
      'Substack, paying but without mail',
      { header: SUBSTACK, record: 'gus@tide.example,true,2027-01-01T00:00:00.000Z,yearly,true,2023-08-09,' },
      {
        email: 'gus@tide.example',
        status: 'unsubscribed',
        subscribedAt: '2023-08-09T00:00:00Z',
        proof: 'created_at 2023-08-09T00:00:00Z (Substack)',
      },
    ],
    [
      'Substack, the table of the dashboard: who stopped to pay still reads',
      { header: SUBSTACK_TABLE, record: 'hal@tide.example,Hal,,2024-02-02T00:00:00.000Z,2023-08-09,,3,Free' },
      {
        email: 'hal@tide.example',
        status: 'active',
        subscribedAt: '2023-08-09T00:00:00Z',
        proof: 'Start date 2023-08-09T00:00:00Z (Substack)',
      },
    ],
    [
      'Buttondown, back again',
      { header: BUTTONDOWN, record: 'ida@tide.example,,,regular,2022-03-04T05:06:07.123456Z,2023-01-01T00:00:00Z' },
      {
        email: 'ida@tide.example',
        status: 'active',
        subscribedAt: '2022-03-04T05:06:07Z',
        proof: 'creation_date 2022-03-04T05:06:07Z (Buttondown)',
      },
    ],
    [
      'listmonk, with the times of Go',
      { header: LISTMONK, record: 'u1,jo@tide.example,Jo,{},enabled,2024-05-06 07:08:09.123456 +0530 IST,' },
      { email: 'jo@tide.example', status: 'active', subscribedAt: '2024-05-06T01:38:09Z' },
    ],
    [
      'Broadside, with its apostrophe',
      { header: BROADSIDE, record: "'+kim@tide.example,active,2026-01-02T03:04:05Z,2026-01-02T03:05:00Z,,'=told us" },
      {
        email: '+kim@tide.example',
        status: 'active',
        subscribedAt: '2026-01-02T03:04:05Z',
        confirmedAt: '2026-01-02T03:05:00Z',
        proof: '=told us',
      },
    ],
    [
      'columns that are mapped',
      {
        header: 'Adresse,Zustand,Seit',
        record: 'lu@tide.example,unsubscribed,2020-01-01',
        map: [
          ['email', 'Adresse'],
          ['status', 'zustand'],
          ['subscribed_at', 'Seit'],
        ],
      },
      { email: 'lu@tide.example', status: 'unsubscribed', subscribedAt: '2020-01-01T00:00:00Z' },
    ],
    [
      'a column that is left out',
      { header: 'email,created_at', record: 'mo@tide.example,1/2/2020', map: [['subscribed_at', '']] },
      { email: 'mo@tide.example', status: 'active' },
    ],
  ])('%s', (_, sample, row) => {
    expect(verdictOf(sample)).toEqual({ row: { line: 7, ...row } });
  });
});

function statusOf(sample: Sample): string {
  const verdict = verdictOf(sample);
  if ('row' in verdict) return verdict.row.status;
  return 'pending' in verdict ? 'pending' : verdict.fault;
}

describe('states', () => {
  test.each<[string, string, string]>([
    ['Buttondown', 'regular', 'active'],
    ['Buttondown', 'past_due', 'active'],
    ['Buttondown', 'unactivated', 'pending'],
    ['Buttondown', 'blocked', 'pending'],
    ['Buttondown', 'unsubscribed', 'unsubscribed'],
    ['Buttondown', 'removed', 'unsubscribed'],
    ['Buttondown', 'complained', 'complained'],
    ['Buttondown', 'undeliverable', 'bounced'],
    ['Buttondown', 'upcoming', '"type" is "upcoming", which is no known state'],
    ['Buttondown', 'constructor', '"type" is "constructor", which is no known state'],
    ['listmonk', 'enabled', 'active'],
    ['listmonk', 'disabled', 'unsubscribed'],
    ['listmonk', 'blocklisted', 'complained'],
    ['listmonk', 'Premium', '"status" is "Premium", which is no known state'],
    ['any', 'Subscribed', 'active'],
    ['any', 'opted-out', 'unsubscribed'],
    ['any', 'hard bounced', 'bounced'],
    ['any', '', '"status" is empty'],
  ])('%s: %s is %s', (service, word, status) => {
    const headers: Record<string, [string, string]> = {
      Buttondown: [BUTTONDOWN, `a@tide.example,,,${word},,`],
      listmonk: [LISTMONK, `u1,a@tide.example,,,${word},,`],
      any: ['email,status', `a@tide.example,${word}`],
    };
    const [header, record] = headers[service] ?? ['', ''];
    expect(statusOf({ header, record })).toBe(status);
  });

  const EMPTY = 'a@tide.example,,,,,,,,';
  test.each<[string, Partial<Sample> & { header: string }, string]>([
    ['the name of a Mailchimp file', { header: MAILCHIMP, file: 'cleaned_members_export_1f.csv' }, 'bounced'],
    ['unsubscribed in it', { header: MAILCHIMP, file: '/tmp/unsubscribed_email_audience_export.csv' }, 'unsubscribed'],
    ['subscribed in it', { header: MAILCHIMP, file: 'subscribed_email_audience_export.csv' }, 'active'],
    ['people who never subscribed', { header: MAILCHIMP, file: 'nonsubscribed_email_audience_export.csv' }, 'pending'],
    ['its columns over its name', { header: MAILCHIMP_CLEANED, file: 'subscribed_members.csv' }, 'bounced'],
    ['--status over both', { header: MAILCHIMP_LEFT, file: 'unsubscribed.csv', status: 'complained' }, 'complained'],
    ['--status for a list', { header: 'email', file: 'bounced.csv', status: 'bounced' }, 'bounced'],
  ])('%s', (_, { header, ...sample }, status) => {
    const record = EMPTY.split(',').slice(0, header.split(',').length).join(',');
    expect(statusOf({ header, record, ...sample })).toBe(status);
  });

  test.each([
    ['--status active', MAILCHIMP_LEFT, 'a@tide.example,,,,,2021-05-05 11:00:00,,', 'unsubscribed'],
    ['a deleted Ghost member', GHOST, ',a@tide.example,,,true,,,,2025-01-01T00:00:00.000Z,,', 'unsubscribed'],
  ])('the stricter of two signs holds: %s', (_, header, record, status) => {
    expect(statusOf({ header, record, status: 'active' })).toBe(status);
  });

  test('the stricter of --status and a word holds', () => {
    expect(statusOf({ header: 'email,status', record: 'a@tide.example,active', status: 'bounced' })).toBe('bounced');
  });
});

describe('a faulty record is named', () => {
  test.each<[string, Sample, string]>([
    ['no address', { header: 'email,x', record: ',x' }, 'the address is missing'],
    ['half an address', { header: 'email', record: 'ana@' }, '"ana@" is no address'],
    [
      'header characters',
      { header: 'email', record: 'a@b.example\r\nBcc: c@d.example' },
      '"a@b.example\\r\\nBcc: c@d.example" is no address',
    ],
    [
      'a value too many',
      { header: 'email,x', record: 'a@b.example,x,y' },
      'there are 3 values, and 2 columns in the first line',
    ],
    [
      'a value too few',
      { header: 'email,x', record: 'a@b.example' },
      'there are 1 values, and 2 columns in the first line',
    ],
    [
      'a flag that is none',
      { header: GHOST, record: ',a@b.example,,,maybe,,,,,,' },
      '"subscribed_to_emails" is "maybe"; it must be true or false',
    ],
    [
      'an empty flag',
      { header: GHOST, record: ',a@b.example,,,,,,,,,' },
      '"subscribed_to_emails" is ""; it must be true or false',
    ],
    [
      'a date to be guessed',
      { header: 'email,created_at', record: 'a@b.example,1/2/2020' },
      '"created_at" is "1/2/2020"; write times like 2026-05-04T09:00:00Z',
    ],
    [
      'a day that is none',
      { header: 'email,created_at', record: 'a@b.example,2026-02-30' },
      '"created_at" is "2026-02-30"; write times like 2026-05-04T09:00:00Z',
    ],
    [
      'an hour that is none',
      { header: 'email,created_at', record: 'a@b.example,2026-02-03 25:00' },
      '"created_at" is "2026-02-03 25:00"; write times like 2026-05-04T09:00:00Z',
    ],
  ])('%s', (_, sample, fault) => {
    expect(verdictOf(sample)).toEqual({ fault });
  });

  test('empty values too many are none', () => {
    expect(statusOf({ header: 'email', record: 'a@b.example,,' })).toBe('active');
  });
});

describe('times', () => {
  test.each([
    ['2026-05-04', '2026-05-04T00:00:00Z'],
    ['2026-05-04 09:10', '2026-05-04T09:10:00Z'],
    ['2026-05-04 09:10:11', '2026-05-04T09:10:11Z'],
    ['2026-05-04T09:10:11Z', '2026-05-04T09:10:11Z'],
    ['2026-05-04T09:10:11.123456+00:00', '2026-05-04T09:10:11Z'],
    ['2026-05-04 09:10:11 UTC', '2026-05-04T09:10:11Z'],
    ['2026-05-04T09:10:11-05:00', '2026-05-04T14:10:11Z'],
    ['2026-05-04 09:10:11.5 +0200 CEST', '2026-05-04T07:10:11Z'],
    ['2026-05-04 09:10:11 +0000 +0000', '2026-05-04T09:10:11Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z'],
  ])('%s', (text, at) => {
    expect(verdictOf({ header: 'email,created_at', record: `a@b.example,${text}` })).toMatchObject({
      row: { subscribedAt: at },
    });
  });
});

describe('a proof keeps no full network address', () => {
  test.each([
    ['form from 203.0.113.9', 'form from 203.0.113.0/24'],
    ['203.0.113.9:8080.', '203.0.113.0/24:8080.'],
    ['203.0.113.0/24', '203.0.113.0/24'],
    ['203.0.113.9/32', '203.0.113.0/24'],
    ['from 2001:db8:12:34::9 on paper', 'from 2001:db8:12::/48 on paper'],
    ['2001:db8:12::/48', '2001:db8:12::/48'],
    ['at 2026-05-04 09:10:11 by form', 'at 2026-05-04 09:10:11 by form'],
    ['at 2026-05-04T09:10:11Z', 'at 2026-05-04T09:10:11Z'],
    ['release 1.2.3; a :: b', 'release 1.2.3; a :: b'],
    ['two\r\nlines', 'two lines'],
    ['x'.repeat(600), 'x'.repeat(500)],
  ])('%s', (text, proof) => {
    expect(verdictOf({ header: 'email,proof', record: `a@b.example,${text}` })).toMatchObject({ row: { proof } });
  });
});

describe('what was recognised is said', () => {
  test.each<[string, Omit<Sample, 'record'>, string]>([
    [
      'Ghost',
      { header: GHOST },
      'Looks like an export of Ghost: email ← "email", subscribed ← "subscribed_to_emails", subscribed_at ← "created_at", unsubscribed_at ← "deleted_at".',
    ],
    [
      'Mailchimp',
      { header: MAILCHIMP_CLEANED },
      'Looks like an export of Mailchimp: email ← "Email Address", opted_in_at ← "OPTIN_TIME", confirmed_at ← "CONFIRM_TIME", bounced_at ← "CLEAN_TIME"; everybody in it is bounced.',
    ],
    [
      'a list',
      { header: 'E-Mail,Name' },
      'Not the export of a known service: email ← "E-Mail"; everybody in it is active.',
    ],
  ])('%s', (_, sample, text) => {
    expect(describeLayout(layoutOf(sample))).toBe(text);
  });

  test.each<[string, Omit<Sample, 'record'>, string]>([
    [
      'no column of addresses',
      { header: 'Name,Ort' },
      'people.csv:1: which column has the addresses? Say it: --map email="…". The columns are: "Name", "Ort".',
    ],
    [
      'no header',
      { header: 'a@b.example,Ana' },
      'people.csv:1: there is an address where the names of the columns should be. Add a first line.',
    ],
    [
      'a mapped column that is not there',
      { header: 'Name', map: [['email', 'Mail']] },
      '--map email="Mail": there is no such column. The columns are: "Name".',
    ],
    [
      'a list whose name says something',
      { header: 'email', file: 'unsubscribers.csv' },
      'unsubscribers.csv has no column of states, and "unsubscri" in its name: say --status active, unsubscribed, bounced, complained, whichever it is.',
    ],
  ])('refused: %s', (_, sample, message) => {
    expect(() => layoutOf(sample)).toThrow(message);
  });
});
