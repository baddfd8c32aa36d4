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
  },
};
