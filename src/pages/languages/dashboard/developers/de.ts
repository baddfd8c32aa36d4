import type { DeveloperTexts } from './en.ts';

export const deDevelopers: DeveloperTexts = {
  requests: {
    title: 'Anfragen',
    hint: 'Was Ihre Programme in den letzten sieben Tagen von der API wollten. Geheimnisse sind herausgeschnitten.',
    missed: (count: string) =>
      `${count} Anfragen fehlen hier: Es kamen zu viele auf einmal, oder sie konnten nicht geschrieben werden.`,
    status: 'Antwort',
    succeeded: 'Erfolg (2xx)',
    refused: 'Abgelehnt (4xx)',
    failed: 'Gescheitert (5xx)',
    path: 'Pfad beginnt mit',
    key: 'API-Schlüssel',
    at: 'Zeit',
    duration: 'Dauer',
    address: 'Von',
    asked: 'Was gefragt wurde',
    answered: 'Was geantwortet wurde',
    bytes: (count: string) => `${count} Bytes`,
    unproven:
      'Wer das gesendet hat, hat den Schlüssel nicht bewiesen. Darum wird nichts davon aufbewahrt.',
    notKept: 'Der Inhalt wird nicht aufbewahrt: Er ist kein JSON oder zu lang.',
  },
  testEvent: {
    title: 'Empfänger ausprobieren',
    hint: 'Ein signiertes Ereignis mit erfundenen Daten geht an einen Empfänger. In seinem Text steht "test": true, und nichts davon ist geschehen.',
    receiver: 'Empfänger',
    kind: 'Art',
    send: 'Testereignis senden',
    mark: 'Testereignis: Nichts davon ist geschehen.',
  },
  eventKinds: {
    title: 'Arten von Ereignissen',
    hint: 'Wann jedes gemeldet wird und wie es aussieht. Die Daten sind erfunden.',
    example: 'Beispiel',
  },
};
