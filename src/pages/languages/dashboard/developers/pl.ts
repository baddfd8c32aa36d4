import type { DeveloperTexts } from './en.ts';

export const plDevelopers: DeveloperTexts = {
  requests: {
    title: 'Żądania',
    hint: 'O co Twoje programy prosiły API w ostatnich siedmiu dniach. Sekrety są wycięte.',
    missed: (count: string) =>
      `Brakuje tu żądań: ${count}. Przyszło zbyt wiele naraz albo nie dało się ich zapisać.`,
    status: 'Odpowiedź',
    succeeded: 'Sukces (2xx)',
    refused: 'Odrzucone (4xx)',
    failed: 'Nieudane (5xx)',
    path: 'Ścieżka zaczyna się od',
    key: 'Klucz API',
    at: 'Czas',
    duration: 'Trwało',
    address: 'Skąd',
    asked: 'O co poproszono',
    answered: 'Co odpowiedziano',
    bytes: (count: string) => `Bajty: ${count}`,
    unproven: 'Nadawca nie udowodnił klucza, więc nic z tego, co wysłał, nie jest przechowywane.',
    notKept: 'Treść nie jest przechowywana: to nie JSON albo jest za długa.',
  },
  testEvent: {
    title: 'Wypróbuj odbiorcę',
    hint: 'Podpisane zdarzenie ze zmyślonymi danymi trafia do jednego odbiorcy. W jego tekście jest "test": true i nic z tego się nie stało.',
    receiver: 'Odbiorca',
    kind: 'Rodzaj',
    send: 'Wyślij zdarzenie testowe',
    mark: 'Zdarzenie testowe: nic z tego się nie stało.',
  },
  eventKinds: {
    title: 'Rodzaje zdarzeń',
    hint: 'Kiedy każde jest zgłaszane i jak wygląda. Dane są zmyślone.',
    example: 'Przykład',
  },
};
