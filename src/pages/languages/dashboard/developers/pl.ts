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
    told: {
      CHECKOUT_COMPLETED: 'Checkout opłacono w całości; saldo jest zaktualizowane',
      CHECKOUT_PENDING: 'Dla checkoutu widać pieniądze, które nie są jeszcze ostateczne',
      CHECKOUT_UNDERPAID: 'Ostatecznych pieniędzy jest mniej, niż potrzeba',
      CHECKOUT_EXPIRED: 'Czas checkoutu minął bez ostatecznych pieniędzy',
      CHECKOUT_CANCELLED: 'Checkout anulował sklep albo klient',
      CHECKOUT_REVERSED: 'Sieć cofnęła zaksięgowane pieniądze',
      CHECKOUT_RESTORED: 'Pieniądze cofnięte przez sieć, albo inne w ich miejsce, wróciły',
      CHECKOUT_PAID_AGAIN: 'Po zakończeniu checkoutu zaksięgowano kolejną płatność',
      CHECKOUT_PENDING_WITHDRAWN:
        'Pieniądze z CHECKOUT_PENDING nie nadejdą: nie zostały zaksięgowane',
      CHECKOUT_MISDIRECTED: 'Pieniądze przyszły w innym aktywie lub w innej sieci, niż proszono',
      UNDERPAID_ACCEPTED: 'Niedopłacony checkout przyjęto z tym, co przyszło',
      REFUND_RESTS:
        'Zwrot na nowy adres powyżej limitu wysyłany jest później: do tego czasu można go anulować',
      REFUND_COMPLETED: 'Zwrot dotarł',
      REFUND_FAILED: 'Zwrotu nie wysłano i nie zostanie wysłany; pieniądze są tam, gdzie były',
      REFUND_REOPENED: 'Zwrot dotarł albo się nie udał, a sieć to cofnęła: jest znów w drodze',
      REFUND_RETURNED: 'Zwrot dotarł i został odesłany; pieniądze są tam, gdzie były',
      DEPOSIT_PENDING: 'Na adresie wpłat widać pieniądze, które nie są jeszcze ostateczne',
      DEPOSIT_PENDING_WITHDRAWN:
        'Pieniędzy z DEPOSIT_PENDING nie ma już w sieci: nie zostały zaksięgowane',
      DEPOSIT_COMPLETED: 'Zaksięgowano pieniądze z adresu wpłat',
      DEPOSIT_REVERSED: 'Sieć cofnęła zaksięgowane pieniądze z adresu wpłat',
      DEPOSIT_MISDIRECTED:
        'Na adres wpłat przyszły pieniądze w innym aktywie: czekają, aż ktoś zdecyduje',
      SUSPENSE_RESOLVED:
        'Nieprzypisane pieniądze przypisano Tobie, zwrócono płacącemu albo spisano',
      SWAP_COMPLETED: 'Wykonano wymianę',
      SWAP_FAILED: 'Wymiany nie udało się wykonać',
      TRANSFER_COMPLETED: 'Przelew dotarł',
      TRANSFER_FAILED: 'Przelew nie może dotrzeć; pieniądze są znów dostępne',
      TRANSFER_REOPENED: 'Przelew dotarł albo się nie udał, a sieć to cofnęła: jest znów w drodze',
      TRANSFER_RETURNED: 'Przelew dotarł i został odesłany; to, co wróciło, jest znów dostępne',
      SETTLEMENT_SKIPPED:
        'Reguła rozliczenia była należna i nie dało się jej wykonać: mówione raz na każdy powód, próby trwają',
    },
  },
};
