// Turkish of what a payer sees beside the plain words of a page.
import type { PayingTexts } from './en.ts';

export const trPaying: PayingTexts = {
  choose: {
    bank: 'Banka havalesi',
    recommended: 'Önerilen',
    lastUsed: 'Son kullanılan',
    fits: 'Bu cihaza uygun',
    search: 'Para birimi veya ağ ara',
    nothing: 'Buna uyan bir şey yok.',
    fee: (amount) => `ağ ücreti yaklaşık ${amount}`,
    feeUnder: (amount) => `ağ ücreti şundan az: ${amount}`,
    feeFrom: (amount) => `ağ ücreti en az ${amount}`,
    networks: (number) => `${number} ağ`,
  },
  pay: {
    showCode: 'Kodu göster',
    enlarge: 'Kodu büyüt',
    close: 'Kapat',
    noWallet: 'Burada cüzdan yok mu? Kodu telefonunuzla tarayın.',
    compare: 'Cüzdanınızda ilk dört ve son dört karakteri karşılaştırın.',
  },
  steps: {
    title: 'Ödemenize ne oluyor',
    sent: 'Gönderdiniz',
    seen: 'Ağ onu gördü',
    confirmed: 'Onaylandı',
    told: 'Mağazaya haber verilir',
    wasTold: 'Mağazaya haber verildi',
    device: 'Başka bir cihazda devam et',
    deviceHint: 'Bunu diğer cihazla tarayın: bu sayfa orada açılır.',
    signal: 'Ödendiğinde ses ve titreşim',
    share: 'Makbuzu paylaş',
    calendar: 'Takvime ekle',
  },
  trust: {
    title: 'Bu adres doğru mu?',
    signed: 'Bu kurulum adresi imzaladı. Tercihen başka bir cihazda kontrol edin:',
    check: 'Adresi kontrol et',
    host: (host) =>
      `Yalnızca tarayıcınızın adres çubuğu ${host} gösteriyorsa ödeyin. Size yardım eden kimse cüzdanınızın kelimelerini sormaz.`,
    domain: 'Doğrulanmış alan adı',
    verified: 'Bu adres burada verildi',
    verifiedHint: 'Cüzdanınızın gösterdiği adresle işaret işaret karşılaştırın.',
    unsigned:
      'Bu adres burada verilmedi veya bir işareti değiştirildi. Lütfen oraya hiçbir şey göndermeyin.',
    key: 'Açık anahtar (Ed25519)',
    place: 'Adres veya ödeme sayfasındaki kontrol bağlantısı',
    memo: 'Varsa memo veya etiket',
    signature: 'İmza',
    signatureHint:
      'İmza bu bağlantıdadır. Adres tek başına bir şey söylemez: başka kimsenin atamayacağı şey imzasıdır.',
  },
};
