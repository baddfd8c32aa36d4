import type { MoneyTexts } from './en.ts';

export const trMoney: MoneyTexts = {
  money: {
    title: 'Para',
    balances: 'Bakiyeler',
    none: 'Henüz hiçbir şey hesaba geçmedi.',
    pending: 'Henüz kesin değil',
    owed: 'Borç',
    worth: 'Yaklaşık değeri',
    transfers: 'Gönderilenler',
    noTransfers: 'Henüz hiçbir şey gönderilmedi.',
    states: {
      QUOTED: 'teklif edildi',
      RESERVED: 'ayrıldı',
      TO_SEND: 'gönderilecek',
      SUBMITTED: 'yolda',
      COMPLETED: 'ulaştı',
      FAILED: 'gönderilmedi',
      EXPIRED: 'süresi doldu',
      RETURNED: 'geri geldi',
    },
  },
  reports: {
    title: 'Raporlar',
    hint: 'Günler UTC’ye göredir. Para birimi ve maliyet yalnızca dönüşümler ve kazançlar içindir.',
    report: 'Rapor',
    names: {
      balances: 'Bakiyeler',
      ledger: 'Defter',
      settlements: 'Hesaba geçenler',
      fees: 'Ücretler',
      taxes: 'Satışlar ve vergiler',
      conversions: 'Dönüşümler',
      gains: 'Kazançlar',
    },
    from: 'Başlangıç',
    to: 'Bitiş, dahil',
    format: 'Dosya',
    formats: {
      csv: 'Tablo (CSV)',
      beancount: 'beancount için defter',
      hledger: 'hledger için defter',
    },
    currency: 'Para birimi',
    method: 'Çıkanın maliyeti',
    methods: {
      fifo: 'Önce en eskisi',
      average: 'Ortalama',
    },
    download: 'İndir',
  },
};
