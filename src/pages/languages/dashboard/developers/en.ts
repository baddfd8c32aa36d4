// English of the rooms for whoever writes programs.

export const enDevelopers = {
  requests: {
    title: 'Requests',
    hint: 'What your programs asked of the API in the last seven days. Secrets are cut out.',
    missed: (count: string) =>
      `${count} requests are not here: too many came at once, or they could not be written.`,
    status: 'Answer',
    succeeded: 'Success (2xx)',
    refused: 'Refused (4xx)',
    failed: 'Failed (5xx)',
    path: 'Path begins with',
    key: 'API key',
    at: 'Time',
    duration: 'Took',
    address: 'From',
    asked: 'What was asked',
    answered: 'What was answered',
    bytes: (count: string) => `${count} bytes`,
    unproven: 'Whoever sent this did not prove the key, so nothing of what was sent is kept.',
    notKept: 'The body is not kept: it is no JSON, or too long.',
  },
  testEvent: {
    title: 'Try a receiver',
    hint: 'A signed event with made-up data goes to one receiver. Its text says "test": true, and nothing of it happened.',
    receiver: 'Receiver',
    kind: 'Kind',
    send: 'Send a test event',
    mark: 'Test event: nothing of it happened.',
  },
  eventKinds: {
    title: 'Kinds of events',
    hint: 'When each is told, and what it looks like. The data is made up.',
    example: 'Example',
  },
};

export type DeveloperTexts = typeof enDevelopers;
