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
  },
};
