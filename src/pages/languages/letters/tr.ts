import type { LetterTexts, VerifyTexts } from './en.ts';

export const trLetters: LetterTexts = {
  test: 'Deneme',
  testHint: 'Bu bir denemeydi: gerçek para hareket etmedi.',
  reference: (id) => `Referans: ${id}`,
  contact: (contact) => `Sorularınız mı var? Mağazaya sorun: ${contact}`,
  why: (shop) =>
    `Bu e-postayı ${shop} mağazasına ödeme yaptığınız ve adresiniz mağazada olduğu için alıyorsunuz.`,
  whyAsked: (shop) =>
    `Bu e-posta, biri ${shop} için yapılan bir ödemenin sayfasında adresinizi verdiği için geldi.`,
  leave: 'Bu mağazaya ödemeler hakkında artık e-posta gönderilmesin',
  seen: {
    subject: (shop) => `${shop} mağazasına ödemeniz görüldü`,
    title: 'Ödemeniz görüldü',
    body: (amount) => `${amount} yolda. Ağ şu anda onaylıyor; bir şey yapmanız gerekmiyor.`,
    button: 'Durumu görün',
  },
  paid: {
    subject: (shop) => `${shop} mağazasına ödemeniz tamamlandı`,
    title: 'Ödendi. Teşekkürler!',
    body: (shop, total) => `${shop}, ${total} tutarındaki ödemenizi aldı.`,
    button: 'Makbuzu açın',
  },
  underpaid: {
    subject: (shop) => `${shop} mağazasına ödemenizin bir kısmı eksik`,
    title: 'Bir kısmı hâlâ eksik',
    body: (received, remaining) => `${received} ulaştı, ${remaining} eksik.`,
    todo: 'Sayfa, kalanın şimdi ne tuttuğunu ve nasıl ödeneceğini söyler. Ödemek istemiyor musunuz? Mağazadan iade isteyin ve referansı belirtin.',
    button: 'Kalanı ödeyin',
  },
  expired: {
    subject: (shop) => `${shop} mağazasına ödeme süresi doldu`,
    title: 'Ödeme süresi doldu',
    body: 'Sizden hiçbir şey alınmadı. Lütfen eski fiyattan bir şey göndermeyin.',
    todo: 'Hâlâ ödemek istiyor musunuz? Sayfa size yeni bir fiyat verir. Zaten gönderdiniz mi? Ulaşan yine de hesaba geçer: referansı saklayın.',
    money: {
      body: 'Bu ödeme sayılmayan bir şey geldi: başka bir para birimi ya da ağın onaylamadığı bir transfer.',
      todo: 'Kaybolmadı. Ağın sonradan onayladığı tutar yine hesaba geçer. Başka bir para birimiyse mağazaya sorun ve referansı belirtin. Sayfa görüleni gösterir.',
    },
    button: 'Sayfayı açın',
  },
  claim: {
    subject: (shop) => `${shop} mağazasından bir iade sizi bekliyor`,
    title: 'Bir iade sizi bekliyor',
    body: (shop, amount) => `${shop} size ${amount} iade ediyor. Sayfa nereye gideceğini sorar.`,
    until: (moment) =>
      `${moment} tarihine kadar açık. Bağlantıyı kimseye vermeyin: paranın nereye gideceğini ona sahip olan söyler.`,
    button: 'Nereye gideceğini söyleyin',
  },
  sent: {
    subject: (shop) => `${shop} mağazasından iadeniz gönderildi`,
    title: 'İadeniz gönderildi',
    body: (amount, address) => `${amount} şu adrese gönderildi: ${address}.`,
    transaction: (transaction) => `İşlem: ${transaction}`,
    button: 'Ödemeyi görün',
  },
  bill: {
    sent: {
      subject: (shop, name) => `${shop} mağazasından ${name} numaralı fatura`,
      title: 'Faturanız',
      body: (shop, total) => `${shop} size ${total} tutarında bir fatura gönderdi.`,
      due: (day) => `Lütfen şu tarihe kadar ödeyin: ${day}.`,
    },
    soon: {
      subject: (shop, name) => `Hatırlatma: ${shop} mağazasından ${name} numaralı fatura`,
      title: 'Faturanızın vadesi yaklaşıyor',
      body: (total, day) => `${total} tutarındaki faturanızın son ödeme tarihi: ${day}.`,
    },
    today: {
      subject: (shop, name) => `${shop} mağazasından ${name} numaralı faturanın son günü bugün`,
      title: 'Faturanızın son ödeme günü bugün',
      body: (total, day) => `${total} tutarındaki faturanızın son ödeme günü bugün, ${day}.`,
    },
    overdue: {
      subject: (shop, name) => `${shop} mağazasından ${name} numaralı faturanın süresi geçti`,
      title: 'Faturanızın süresi geçti',
      body: (total, day) =>
        `${total} tutarındaki faturanızın son ödeme tarihi ${day} idi. Henüz bir ödeme görmüyoruz.`,
    },
    hint: 'Sayfa faturayı gösterir ve o anki fiyatla ödemeyi alır. Zaten ödediniz mi? O zaman bir şey yapmanız gerekmez.',
    number: (name) => `Fatura numarası: ${name}`,
    button: 'Faturayı görün ve ödeyin',
  },
  page: {
    title: (shop) => `${shop} mağazasına ödemeler hakkında e-postalar`,
    gets: 'Bu mağazaya ödemeleriniz hakkında e-posta alıyorsunuz.',
    leave: 'Artık e-posta gönderilmesin',
    left: 'Bu mağazaya ödemeleriniz hakkında artık e-posta almıyorsunuz.',
    again: 'Yeniden e-posta gönderilsin',
  },
  staff: {
    why: (shop) => `Bu e-postayı ${shop} ile çalıştığınız için alıyorsunuz.`,
    choose: 'Hangi e-postaları alacağınızı seçin',
    paid: {
      subject: (shop, total) => `${shop}: ${total} ödendi`,
      title: 'Ödendi',
      body: (total) => `${total} tutarında bir ödeme tamamlandı.`,
      button: 'Ödemeyi açın',
    },
    needs: {
      subject: (shop) => `${shop}: bir ödeme sizi bekliyor`,
      title: 'Bir ödeme sizi bekliyor',
      reasons: {
        underpaid: 'İstenenden azı ulaştı. Kabul edin, iade edin ya da kalanı bekleyin.',
        misdirected:
          'İstenenden başka bir varlıkta veya ağda para ulaştı. Ne olacağına karar verin.',
        again: 'Zaten ödenmiş bir ödeme bir kez daha ödendi. Fazlasını iade edin.',
        billAgain: 'Zaten ödenmiş bir fatura bir kez daha ödendi. Fazlasını iade edin.',
        reversed: 'Ağ, hesaba geçmiş bir ödemeyi geri aldı. Teslim edip etmediğinize bakın.',
        failed: 'Gönderilecek para gönderilemedi ya da geri geldi. Nedenine bakın.',
      },
      button: 'Bakın',
    },
    summary: {
      subject: (shop, day) => `${shop}: ${day}`,
      title: (day) => `Gününüz: ${day}`,
      paid: (count) => `Tamamlanan ödemeler: ${count}`,
      total: (sums) => `Toplam: ${sums}`,
      needs: (count) => `Birini gerektiren: ${count}`,
      button: 'Paneli açın',
    },
  },
};

export const trVerify: VerifyTexts = {
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
