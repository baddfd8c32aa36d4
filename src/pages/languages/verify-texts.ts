// What stands on a receipt and on an invoice so that it can be checked, and on the page that checks
// it, in every language.

import type { LanguageCode } from '#catalog/language.ts';

export type VerifyTexts = {
  readonly title: string;
  readonly hint: string;
  readonly code: string;
  readonly at: string;
  readonly check: string;
  readonly unknown: string;
  readonly compare: string;
  readonly issuer: string;
  readonly states: {
    readonly paid: string;
    readonly partial: string;
    readonly open: string;
    readonly reversed: string;
    readonly refunded: string;
    readonly partlyRefunded: string;
    readonly cancelled: string;
    readonly cancellation: string;
  };
  /** What a payment is in the currency of the bill. */
  readonly worth: string;
  readonly explorer: string;
};

const en: VerifyTexts = {
  title: 'Check a receipt or an invoice',
  hint: 'Type the code that stands on the receipt or the invoice. You learn what our books say of it, and nothing about the buyer.',
  code: 'Verification code',
  at: 'Check it at',
  check: 'Check',
  unknown: 'No receipt and no invoice of ours has this code. Please compare it sign by sign.',
  compare: 'Compare this with the paper that you hold. What stands here is what counts.',
  issuer: 'Issued by',
  states: {
    paid: 'This is paid',
    partial: 'A part of this is paid',
    open: 'No confirmed payment stands for this',
    reversed: 'This was paid, and the network took the payment back',
    refunded: 'This was paid, and the money was given back',
    partlyRefunded: 'This was paid, and a part was given back',
    cancelled: 'This invoice was cancelled',
    cancellation: 'This document cancels an invoice',
  },
  worth: 'Amount paid',
  explorer: 'On the network',
};

const de: VerifyTexts = {
  title: 'Quittung oder Rechnung prüfen',
  hint: 'Geben Sie den Code ein, der auf der Quittung oder der Rechnung steht. Sie erfahren, was unsere Bücher dazu sagen, und nichts über den Käufer.',
  code: 'Prüfcode',
  at: 'Prüfen unter',
  check: 'Prüfen',
  unknown:
    'Keine unserer Quittungen und Rechnungen hat diesen Code. Bitte vergleichen Sie jedes Zeichen.',
  compare: 'Vergleichen Sie dies mit dem Papier, das Sie haben. Was hier steht, gilt.',
  issuer: 'Ausgestellt von',
  states: {
    paid: 'Das ist bezahlt',
    partial: 'Ein Teil davon ist bezahlt',
    open: 'Dafür gibt es keine bestätigte Zahlung',
    reversed: 'Das war bezahlt, und das Netzwerk hat die Zahlung zurückgenommen',
    refunded: 'Das war bezahlt, und das Geld wurde zurückgegeben',
    partlyRefunded: 'Das war bezahlt, und ein Teil wurde zurückgegeben',
    cancelled: 'Diese Rechnung wurde storniert',
    cancellation: 'Dieses Dokument storniert eine Rechnung',
  },
  worth: 'Bezahlter Betrag',
  explorer: 'Im Netzwerk',
};

const pt: VerifyTexts = {
  title: 'Verificar um recibo ou uma fatura',
  hint: 'Digite o código que está no recibo ou na fatura. Você vê o que os nossos livros dizem, e nada sobre o comprador.',
  code: 'Código de verificação',
  at: 'Verificar em',
  check: 'Verificar',
  unknown: 'Nenhum recibo e nenhuma fatura nossa tem este código. Compare sinal por sinal.',
  compare: 'Compare com o papel que você tem. Vale o que está aqui.',
  issuer: 'Emitido por',
  states: {
    paid: 'Isto está pago',
    partial: 'Uma parte disto está paga',
    open: 'Não há pagamento confirmado para isto',
    reversed: 'Isto foi pago, e a rede desfez o pagamento',
    refunded: 'Isto foi pago, e o dinheiro foi devolvido',
    partlyRefunded: 'Isto foi pago, e uma parte foi devolvida',
    cancelled: 'Esta fatura foi cancelada',
    cancellation: 'Este documento cancela uma fatura',
  },
  worth: 'Valor pago',
  explorer: 'Na rede',
};

const es: VerifyTexts = {
  title: 'Comprobar un recibo o una factura',
  hint: 'Escriba el código que figura en el recibo o en la factura. Verá lo que dicen nuestros libros, y nada del comprador.',
  code: 'Código de verificación',
  at: 'Comprobar en',
  check: 'Comprobar',
  unknown: 'Ningún recibo y ninguna factura nuestra tiene este código. Compárelo signo por signo.',
  compare: 'Compárelo con el papel que tiene. Vale lo que figura aquí.',
  issuer: 'Emitido por',
  states: {
    paid: 'Está pagado',
    partial: 'Está pagado en parte',
    open: 'No hay ningún pago confirmado para esto',
    reversed: 'Se pagó, y la red deshizo el pago',
    refunded: 'Se pagó, y el dinero se devolvió',
    partlyRefunded: 'Se pagó, y una parte se devolvió',
    cancelled: 'Esta factura fue anulada',
    cancellation: 'Este documento anula una factura',
  },
  worth: 'Importe pagado',
  explorer: 'En la red',
};

const it: VerifyTexts = {
  title: 'Verificare una ricevuta o una fattura',
  hint: 'Inserisca il codice che si trova sulla ricevuta o sulla fattura. Saprà che cosa ne dicono i nostri libri, e niente dell’acquirente.',
  code: 'Codice di verifica',
  at: 'Verificare su',
  check: 'Verifica',
  unknown: 'Nessuna nostra ricevuta o fattura ha questo codice. Lo confronti segno per segno.',
  compare: 'Lo confronti con il documento che ha in mano. Vale ciò che si legge qui.',
  issuer: 'Emessa da',
  states: {
    paid: 'È pagato',
    partial: 'È pagato in parte',
    open: 'Per questo non c’è un pagamento confermato',
    reversed: 'Era pagato, e la rete ha annullato il pagamento',
    refunded: 'Era pagato, e il denaro è stato restituito',
    partlyRefunded: 'Era pagato, e una parte è stata restituita',
    cancelled: 'Questa fattura è stata annullata',
    cancellation: 'Questo documento annulla una fattura',
  },
  worth: 'Importo pagato',
  explorer: 'Sulla rete',
};

const tr: VerifyTexts = {
  title: 'Makbuzu ya da faturayı doğrula',
  hint: 'Makbuzun ya da faturanın üzerindeki kodu yazın. Kayıtlarımızın onun hakkında ne dediğini görürsünüz, alıcı hakkında hiçbir şey görmezsiniz.',
  code: 'Doğrulama kodu',
  at: 'Doğrulama adresi',
  check: 'Doğrula',
  unknown:
    'Bizim hiçbir makbuzumuzda ya da faturamızda bu kod yok. Lütfen her işareti karşılaştırın.',
  compare: 'Bunu elinizdeki belgeyle karşılaştırın. Geçerli olan burada yazandır.',
  issuer: 'Düzenleyen',
  states: {
    paid: 'Bu ödendi',
    partial: 'Bunun bir kısmı ödendi',
    open: 'Bunun için onaylanmış bir ödeme yok',
    reversed: 'Bu ödenmişti, ağ ödemeyi geri aldı',
    refunded: 'Bu ödenmişti, para iade edildi',
    partlyRefunded: 'Bu ödenmişti, bir kısmı iade edildi',
    cancelled: 'Bu fatura iptal edildi',
    cancellation: 'Bu belge bir faturayı iptal eder',
  },
  worth: 'Ödenen tutar',
  explorer: 'Ağda',
};

const pl: VerifyTexts = {
  title: 'Sprawdź potwierdzenie albo fakturę',
  hint: 'Proszę wpisać kod z potwierdzenia albo z faktury. Widać wtedy, co mówią nasze księgi, i nic o kupującym.',
  code: 'Kod weryfikacyjny',
  at: 'Sprawdź pod adresem',
  check: 'Sprawdź',
  unknown:
    'Żadne nasze potwierdzenie i żadna nasza faktura nie ma tego kodu. Proszę porównać znak po znaku.',
  compare: 'Proszę porównać z dokumentem, który Państwo mają. Liczy się to, co stoi tutaj.',
  issuer: 'Wystawca',
  states: {
    paid: 'To jest zapłacone',
    partial: 'To jest zapłacone częściowo',
    open: 'Nie ma za to potwierdzonej płatności',
    reversed: 'To było zapłacone, a sieć cofnęła płatność',
    refunded: 'To było zapłacone, a pieniądze zwrócono',
    partlyRefunded: 'To było zapłacone, a część zwrócono',
    cancelled: 'Ta faktura została anulowana',
    cancellation: 'Ten dokument anuluje fakturę',
  },
  worth: 'Zapłacona kwota',
  explorer: 'W sieci',
};

const fr: VerifyTexts = {
  title: 'Vérifier un reçu ou une facture',
  hint: 'Saisissez le code qui figure sur le reçu ou la facture. Vous voyez ce que nos livres en disent, et rien sur l’acheteur.',
  code: 'Code de vérification',
  at: 'Vérifier sur',
  check: 'Vérifier',
  unknown:
    'Aucun de nos reçus et aucune de nos factures ne porte ce code. Veuillez le comparer signe par signe.',
  compare: 'Comparez avec le document que vous tenez. C’est ce qui figure ici qui compte.',
  issuer: 'Émis par',
  states: {
    paid: 'C’est payé',
    partial: 'C’est payé en partie',
    open: 'Aucun paiement confirmé n’existe pour ceci',
    reversed: 'C’était payé, et le réseau a annulé le paiement',
    refunded: 'C’était payé, et l’argent a été rendu',
    partlyRefunded: 'C’était payé, et une partie a été rendue',
    cancelled: 'Cette facture a été annulée',
    cancellation: 'Ce document annule une facture',
  },
  worth: 'Montant payé',
  explorer: 'Sur le réseau',
};

const CATALOGUE: Readonly<Record<LanguageCode, VerifyTexts>> = { en, de, pt, es, it, tr, pl, fr };

export function verifyTexts(code: LanguageCode): VerifyTexts {
  return CATALOGUE[code];
}
