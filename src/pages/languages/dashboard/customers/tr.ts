// Turkish of customers.

import type { CustomersTexts } from './en.ts';

export const trCustomers: CustomersTexts = {
  customers: {
    title: 'Müşteriler',
    one: 'Müşteri',
    find: 'E-posta, ad ya da şirket şununla başlar',
    none: 'Henüz müşteri yok. Mağazanız onları oluşturur ya da bir ödemede adlandırır.',
    noneFound: 'Böyle adı olan yok.',
    more: 'Daha fazlası var: addan daha çok yazın.',
    fields: {
      email: 'E-posta adresi',
      firstname: 'Ad',
      lastname: 'Soyad',
      company: 'Şirket',
      adr1: 'Adres',
      adr2: 'Adres, ikinci satır',
      zip: 'Posta kodu',
      city: 'Şehir',
      countrycode: 'Ülke',
      phonenumber: 'Telefon',
      taxid: 'Vergi numarası',
      note: 'Not',
    },
    history: 'Satın alınanlar',
    noHistory: 'Henüz bir şey satın alınmadı.',
    paid: 'Ödendi',
    refunded: 'Geri verildi',
    addresses: 'Bilinen adresler',
    noAddresses:
      'Henüz yok. Bir adres, ona bir şey geri verildiyse bilinir; ödemeyi kimin gönderdiğini kimse öğrenmez.',
    asJson: 'Hepsi JSON olarak',
    asCsv: 'Alımlar CSV olarak',
    allAsCsv: 'Tümü CSV olarak',
    allAsJson: 'Tümü JSON olarak',
    erase: 'Bu müşteriyi sil',
    eraseHint:
      'Ad, adresler, not ve kişisel olan her şey temelli gider. Ödemeler ve defterler yalnız numarayı tutar, ödemedeki kendi verileriniz kalır. Gönderilen e-postalar 90 gün sonra unutulur.',
    sure: 'Evet, temelli',
    notSure: 'Emin olduğunuzu kutuyu işaretleyerek söyleyin.',
    erased: 'Müşteri silindi.',
  },
  merging: {
    title: 'Başka bir kayıtla birleştir',
    hint: 'Aynı müşteri burada iki kez mi var? Öteki kaydı arayın: bir şey olmadan önce ikisi yan yana gösterilir.',
    look: 'Ara',
    pairHint:
      'Kalın yazılanlar kalır. İkisinin tahsilatları, ödemeleri ve bilinen adresleri birlikte listelenir; öteki referans bundan sonra programlarınız için de bu müşteriyi gösterir.',
    stays: 'Kalır',
    other: 'Buna katılır',
    goes: 'temelli gider',
    turn: 'Öteki kalsın',
    forGood: 'Bu geri alınamaz: gidenler hiçbir yerde saklanmaz ve ikisi bir daha ayrılamaz.',
    merge: 'Birleştir',
    changed: 'Siz baktıktan sonra ikisinden biri değişti. Yeniden bakın.',
    most: 'Bu müşterinin saklanabilecek kadar başka referansı var.',
    names: 'Başka referanslar',
    done: 'İki kayıt artık bir.',
  },
};
