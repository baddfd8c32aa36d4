// Turkish of people.

import type { PeopleTexts } from './en.ts';

export const trPeople: PeopleTexts = {
  people: {
    mailed: {
      PENDING: 'E-posta yazıldı, şu andan beri yolda',
      SENT: 'E-posta gönderildi',
      PARKED: 'E-posta geri çevrildi',
    },
    title: 'Kişiler',
    who: 'Kim ne yapabilir',
    you: 'siz',
    role: 'Rol',
    change: 'Değiştir',
    invite: 'Birini davet et',
    name: 'Ad',
    email: 'E-posta adresi',
    submit: 'Davet oluştur',
    link: 'Bu bağlantıyı kişiye verin. Yedi gün içinde bir kez kullanılabilir ve yalnızca şimdi gösterilir.',
    open: 'Bekleyen davetler',
    until: 'Son geçerlilik',
    withdraw: 'Geri çek',
  },
  signInLink: {
    send: 'Bana bağlantı gönder',
    sent: 'Bağlantı yolda',
    sentHint:
      'Bu adresle burada tanınan biri varsa, birazdan bağlantı içeren bir e-posta alır. Bağlantı bir kez ve on beş dakika boyunca çalışır.',
    title: 'Bağlantıyla oturum aç',
    hint: 'Bu bağlantı bir kez oturum açar. Para, anahtarlar ve kişiler yine de parolanızı veya geçiş anahtarınızı ister.',
    gone: 'Bu bağlantı kullanılmış veya çok eski. Yenisini isteyin.',
  },
  trail: {
    title: 'Kayıt',
    hint: 'Bu mağazanın kişilerinin ve anahtarlarının yaptıkları, komut satırında onunla yapılanlar ve sunucunun onun için yaptıkları, her işlemle birlikte yazılanlarla. Kimse değiştirmez ve silmez.',
    aboutHint: 'transfer:ID; ya da transfer, key, beneficiary, person: o türün hepsi',
    sentFrom: 'Nereden',
    asCsv: 'Bunlar tablo olarak (CSV)',
    asJson: 'Bunlar JSON olarak',
  },
  keyboard: {
    title: 'Klavye',
    search: 'Ara',
    help: 'Bu tuşlar',
    on: 'Bu tuşları bu tarayıcıda kullan',
    close: 'Kapat',
  },
};
