// Ukrainian of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('uk', number, forms);

export const ukPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: 'Банківський переказ',
    recommended: 'Рекомендовано',
    lastUsed: 'Як минулого разу',
    fits: 'Підходить цьому пристрою',
    search: 'Пошук монет і мереж',
    nothing: 'Нічого не знайдено.',
    fee: (amount) => `комісія мережі близько ${amount}`,
    feeUnder: (amount) => `комісія мережі менше ${amount}`,
    feeFrom: (amount) => `комісія мережі від ${amount}`,
    networks: (number) =>
      count(number, { one: 'мережа', few: 'мережі', many: 'мереж', other: 'мережі' }),
  },
  pay: {
    showCode: 'Показати код',
    enlarge: 'Збільшити код',
    close: 'Закрити',
    noWallet: 'Тут немає гаманця? Відскануйте код телефоном.',
    compare: 'Порівняйте в гаманці перші чотири й останні чотири знаки.',
  },
  steps: {
    title: 'Що відбувається з вашим платежем',
    sent: 'Ви надіслали',
    seen: 'Мережа його побачила',
    confirmed: 'Підтверджено',
    told: 'Магазин дізнається про це',
    wasTold: 'Магазин про це дізнався',
    device: 'Продовжити на іншому пристрої',
    deviceHint: 'Відскануйте це іншим пристроєм: на ньому відкриється ця сторінка.',
    signal: 'Звук і вібрація після оплати',
    share: 'Поділитися квитанцією',
    calendar: 'Додати до календаря',
  },
  trust: {
    title: 'Чи правильна ця адреса?',
    signed: 'Ця інсталяція підписала адресу. Перевірте її, краще на іншому пристрої:',
    check: 'Перевірити адресу',
    host: (host) =>
      `Платіть, лише якщо в адресному рядку браузера стоїть ${host}. Хто вам допомагає, не питає слова вашого гаманця.`,
    domain: 'Перевірений домен',
    verified: 'Цю адресу видано тут',
    verifiedHint: 'Порівняйте її знак за знаком з тим, що показує гаманець.',
    unsigned: 'Цю адресу видано не тут, або в ній змінено знак. Нічого на неї не надсилайте.',
    key: 'Відкритий ключ (Ed25519)',
    place: 'Адреса або посилання для перевірки зі сторінки оплати',
    memo: 'Memo або тег, якщо він є',
    signature: 'Підпис',
    signatureHint:
      'Підпис міститься в цьому посиланні. Сама адреса нічого не каже: саме її підпис більше ніхто не може зробити.',
  },
};
