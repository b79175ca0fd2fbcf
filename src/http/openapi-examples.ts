/** A call of each type, as `/api/v1/openapi.json` shows it. */
export const EXAMPLES: { name: string; summary: string; value: { type: string; timestamp: string; data: object } }[] = [
  {
    name: 'publish',
    summary: 'Publish an article',
    value: {
      type: 'article.published',
      timestamp: '2026-05-06T08:00:00Z',
      data: {
        id: 'night-shift',
        title: 'The night shift',
        summary: 'Who works while the others dance.',
        bodyMarkdown: 'It begins at **four** in the afternoon.',
        authors: [{ name: 'Ana Ro' }],
        topics: ['labor'],
        publishedAt: '2026-05-06T08:00:00Z',
      },
    },
  },
  {
    name: 'correct',
    summary: 'Correct it, and mail the issue that held it again',
    value: {
      type: 'article.updated',
      timestamp: '2026-05-07T09:30:00Z',
      data: {
        id: 'night-shift',
        title: 'The night shift',
        summary: 'Who works while the others dance.',
        bodyMarkdown: 'It begins at **five** in the afternoon.',
        authors: [{ name: 'Ana Ro' }],
        topics: ['labor'],
        publishedAt: '2026-05-06T08:00:00Z',
        correction: { note: 'The shift begins at five, not at four.' },
        reissue: true,
        confirm: 1240,
      },
    },
  },
  {
    name: 'withdraw',
    summary: 'Take it back',
    value: {
      type: 'article.withdrawn',
      timestamp: '2026-05-08T10:00:00Z',
      data: { id: 'night-shift', note: 'The sources did not hold.' },
    },
  },
  {
    name: 'settings',
    summary: 'Set the publication up',
    value: {
      type: 'publication.updated',
      timestamp: '2026-05-01T08:00:00Z',
      data: {
        title: 'Tide Notes',
        description: 'Letters from a harbour',
        language: 'en',
        sender: { name: 'Tide Notes', email: 'letters@news.example' },
        postalAddress: 'Quay 1, Harbour',
        digests: [{ id: 'weekly', title: 'The week', schedule: { cron: '0 8 * * 2', timezone: 'Europe/Berlin' } }],
      },
    },
  },
  {
    name: 'run',
    summary: 'Compose and send a digest now',
    value: { type: 'digest.run', timestamp: '2026-05-06T12:00:00Z', data: { digest: 'weekly', subject: 'Tonight' } },
  },
  {
    name: 'approve',
    summary: 'Release an issue that waits for approval',
    value: { type: 'issue.approve', timestamp: '2026-05-06T12:05:00Z', data: { digest: 'weekly', number: 12 } },
  },
  {
    name: 'pause',
    summary: 'Stop an issue for now',
    value: {
      type: 'issue.pause',
      timestamp: '2026-05-06T12:10:00Z',
      data: { digest: 'weekly', number: 12, reason: 'A name is wrong.' },
    },
  },
  {
    name: 'resume',
    summary: 'Go on with it',
    value: { type: 'issue.resume', timestamp: '2026-05-06T12:20:00Z', data: { digest: 'weekly', number: 12 } },
  },
  {
    name: 'cancel',
    summary: 'Stop it for good',
    value: { type: 'issue.cancel', timestamp: '2026-05-06T12:15:00Z', data: { digest: 'weekly', number: 12 } },
  },
  {
    name: 'reissue',
    summary: 'Mail the latest issue again, with its articles as they are now',
    value: {
      type: 'issue.reissue',
      timestamp: '2026-05-07T10:00:00Z',
      data: { digest: 'weekly', reason: 'Two links led nowhere.', confirm: 1240 },
    },
  },
];
