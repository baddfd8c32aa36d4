// Turkish of what came in and what needs somebody.

import type { TodayTexts } from './en.ts';

export const trToday: TodayTexts = {
  today: {
    title: 'Bugün',
    first: 'Önce ne yapmalı',
    nothingSold: 'Burada henüz bir şey satılmadı.',
    tryFirst:
      'Her şeyi önce test kipinde deneyin: aynı görünür, aynı çalışır, gerçek para hareket etmez.',
    manual: 'Kılavuz',
    steps: {
      key: 'Bir API anahtarı oluşturun: mağazanız isteklerini onunla imzalar.',
      checkout: 'İlk ödemeyi isteyin: kılavuz yapıştırılacak satırı gösterir.',
      webhook: 'Biri ödeyince mağazanızın haberi olsun.',
      settings: 'Müşterilerin gördüğü sayfalarda adınız, renginiz ve logonuz.',
      people: 'Birlikte çalıştığınız kişileri rolleriyle davet edin.',
    },
    needsTitle: 'Birini bekleyenler',
    nothingWaits: 'Kimseyi bekleyen bir şey yok.',
    oldest: 'En eskisi',
    needs: {
      underpaid: {
        label: 'Eksik ödenen',
        hint: 'İstenenden az geldi. Kabul edin ya da kalanı bekleyin.',
      },
      late: {
        label: 'Geç ödenen',
        hint: 'Süresinden sonra geldi ve bugünkü fiyatla yetmiyor. Kabul edin ya da kalanı isteyin.',
      },
      'bill-again': {
        label: 'İki kez ödenen faturalar',
        hint: 'Bir fatura için iki ödeme hesaba geçti. Fazla olanı iade edin ya da nasıl çözüldüğünü yazın.',
      },
      'wrong-asset': {
        label: 'İstenenden başka varlık ya da ağ',
        hint: 'Geldi ve ayrı tutuluyor, hesaba geçmedi. Bu sunucuyu işleten geri gönderir ya da atar.',
      },
      suspense: {
        label: 'Sahibi olmayan, sizi gösteren para',
        hint: 'Bu sunucuyu işleten karar verene dek ayrı tutulur.',
      },
      parked: {
        label: 'Karara bağlanamayan ödemeler',
        hint: 'Yeniden denenir. Kalırsa bu sunucuyu işletene söyleyin.',
      },
      'parked-address': {
        label: 'Karara bağlanamayan yatırma adresleri',
        hint: 'Bu sunucuyu işletene söyleyin.',
      },
      'webhook-given-up': {
        label: 'Vazgeçilen webhooklar',
        hint: 'Mağazanızın haberi olmadı. Ne yanıt verdiğine bakın ve yeniden gönderin.',
      },
      'webhook-failing': {
        label: 'Başarısız webhooklar',
        hint: 'Mağazanız gerektiği gibi yanıt vermiyor. Kendiliğinden yeniden denenir.',
      },
      approval: {
        label: 'İkinci kişiyi bekliyor',
        hint: 'Başlatandan başka birinin onaylaması gerekir.',
      },
      transfer: {
        label: 'İmzalanacak ya da gönderilecek transferler',
        hint: 'Bu sunucuyu işleten elle gönderir ya da tutan şeyi düzeltir.',
      },
    },
    cameIn: 'Gelenler',
    cameInHint:
      'Günler UTC’ye göredir. Faturalar yazıldığı gibi, kalanı o gün saklanan fiyatlarla sayılır.',
    periods: {
      1: 'Bugün',
      7: '7 gün',
      30: '30 gün',
    },
    payments: 'Ödemeler',
    worth: 'Değer',
    withoutPrice: 'Ve saklanan fiyatı olmayan',
    byDay: 'Güne göre',
    byAsset: 'Ödeme aracına göre',
    byLanguage: 'Müşterinin diline göre',
    asTable: 'Tablo olarak',
    day: 'Gün',
    asset: 'Varlık',
    language: 'Dil',
    noLanguage: 'Ödeme sayfası olmadan',
    notKnown: 'Bilinmiyor',
  },
};
