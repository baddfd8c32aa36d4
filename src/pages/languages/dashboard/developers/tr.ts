import type { DeveloperTexts } from './en.ts';

export const trDevelopers: DeveloperTexts = {
  requests: {
    title: 'İstekler',
    hint: 'Programlarınızın son yedi günde API’den istedikleri. Gizli değerler çıkarılmıştır.',
    missed: (count: string) =>
      `${count} istek burada yok: Bir anda çok fazla geldi veya yazılamadı.`,
    status: 'Yanıt',
    succeeded: 'Başarılı (2xx)',
    refused: 'Reddedildi (4xx)',
    failed: 'Başarısız (5xx)',
    path: 'Yolun başı',
    key: 'API anahtarı',
    at: 'Zaman',
    duration: 'Süre',
    address: 'Nereden',
    asked: 'Ne istendi',
    answered: 'Ne yanıtlandı',
    bytes: (count: string) => `${count} bayt`,
    unproven:
      'Bunu gönderen, anahtarı kanıtlamadı; bu yüzden gönderdiklerinden hiçbir şey saklanmaz.',
    notKept: 'Gövde saklanmadı: JSON değil veya çok uzun.',
  },
  testEvent: {
    title: 'Bir alıcıyı dene',
    hint: 'Uydurma veriler içeren imzalı bir olay bir alıcıya gider. Metninde "test": true yazar ve hiçbiri gerçekleşmemiştir.',
    receiver: 'Alıcı',
    kind: 'Tür',
    send: 'Test olayı gönder',
    mark: 'Test olayı: Hiçbiri gerçekleşmedi.',
  },
  eventKinds: {
    title: 'Olay türleri',
    hint: 'Her birinin ne zaman bildirildiği ve nasıl göründüğü. Veriler uydurmadır.',
    example: 'Örnek',
    told: {
      CHECKOUT_COMPLETED: 'Bir ödeme sayfası tamamen ödendi; bakiye güncellendi',
      CHECKOUT_PENDING: 'Bir ödeme sayfası için para görüldü, henüz kesin değil',
      CHECKOUT_UNDERPAID: 'Kesinleşen para gerekenden az',
      CHECKOUT_EXPIRED: 'Bir ödeme sayfasının süresi kesin para gelmeden bitti',
      CHECKOUT_CANCELLED: 'Bir ödeme sayfası mağaza ya da müşteri tarafından iptal edildi',
      CHECKOUT_REVERSED: 'Ağ, hesaba geçirilmiş parayı geri aldı',
      CHECKOUT_RESTORED: 'Ağın geri aldığı para ya da yerine başka para geri geldi',
      CHECKOUT_PAID_AGAIN: 'Ödeme sayfası tamamlandıktan sonra başka bir ödeme hesaba geçti',
      CHECKOUT_PENDING_WITHDRAWN: 'CHECKOUT_PENDING parası gelmeyecek: hesaba geçmedi',
      CHECKOUT_MISDIRECTED: 'Para, istenenden başka bir varlıkta ya da başka bir ağda geldi',
      UNDERPAID_ACCEPTED: 'Eksik ödenen bir ödeme sayfası gelen parayla kabul edildi',
      REFUND_RESTS:
        'Sınırın üstünde yeni bir adrese iade daha sonra gönderilir: o zamana kadar iptal edilebilir',
      REFUND_COMPLETED: 'Bir iade ulaştı',
      REFUND_FAILED: 'Bir iade gönderilmedi ve gönderilmeyecek; parası eski yerinde',
      REFUND_REOPENED: 'Bir iade ulaşmış ya da başarısız olmuştu, ağ bunu geri aldı: yeniden yolda',
      REFUND_RETURNED: 'Bir iade ulaşmış ve geri gönderilmişti; parası eski yerinde',
      DEPOSIT_PENDING: 'Bir yatırma adresinde para görüldü, henüz kesin değil',
      DEPOSIT_PENDING_WITHDRAWN: 'DEPOSIT_PENDING parası artık ağda değil: hesaba geçmedi',
      DEPOSIT_COMPLETED: 'Bir yatırma adresindeki para hesaba geçti',
      DEPOSIT_REVERSED: 'Ağ, bir yatırma adresinin hesaba geçmiş parasını geri aldı',
      DEPOSIT_MISDIRECTED:
        'Bir yatırma adresine başka bir varlıkta para geldi: biri karar verene kadar bekler',
      SUSPENSE_RESOLVED: 'Bekleyen para size verildi, ödeyene iade edildi ya da silindi',
      SWAP_COMPLETED: 'Bir takas yapıldı',
      SWAP_FAILED: 'Bir takas yapılamadı',
      TRANSFER_COMPLETED: 'Bir transfer ulaştı',
      TRANSFER_FAILED: 'Bir transfer ulaşamaz; parası yeniden kullanılabilir',
      TRANSFER_REOPENED:
        'Bir transfer ulaşmış ya da başarısız olmuştu, ağ bunu geri aldı: yeniden yolda',
      TRANSFER_RETURNED:
        'Bir transfer ulaşmış ve geri gönderilmişti; dönen para yeniden kullanılabilir',
      SETTLEMENT_SKIPPED:
        'Bir ödeme kuralının zamanı gelmişti ve uygulanamadı: her neden için bir kez bildirilir, yeniden denenir',
    },
  },
};
