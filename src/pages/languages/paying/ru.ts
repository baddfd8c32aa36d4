// Russian of what a payer sees beside the plain words of a page.
import type { SomeOf } from '#pages/languages/filled.ts';
import { countedText, type NounForms } from '#pages/languages/plural.ts';
import type { PayingTexts } from './en.ts';

const count = (number: number, forms: NounForms) => countedText('ru', number, forms);

export const ruPaying: SomeOf<PayingTexts> = {
  choose: {
    bank: 'Банковский перевод',
    recommended: 'Рекомендуется',
    lastUsed: 'Как в прошлый раз',
    fits: 'Подходит этому устройству',
    search: 'Поиск монет и сетей',
    nothing: 'Ничего не найдено.',
    fee: (amount) => `комиссия сети около ${amount}`,
    feeUnder: (amount) => `комиссия сети меньше ${amount}`,
    feeFrom: (amount) => `комиссия сети от ${amount}`,
    networks: (number) => count(number, { one: 'сеть', few: 'сети', many: 'сетей', other: 'сети' }),
  },
  pay: {
    showCode: 'Показать код',
    enlarge: 'Увеличить код',
    close: 'Закрыть',
    noWallet: 'Здесь нет кошелька? Отсканируйте код телефоном.',
    compare: 'Сравните в кошельке первые четыре и последние четыре знака.',
  },
  steps: {
    title: 'Что происходит с вашим платежом',
    sent: 'Вы отправили',
    seen: 'Сеть его увидела',
    confirmed: 'Подтверждено',
    told: 'Магазин узнаёт об этом',
    wasTold: 'Магазин об этом узнал',
    device: 'Продолжить на другом устройстве',
    deviceHint: 'Отсканируйте это другим устройством: на нём откроется эта страница.',
    signal: 'Звук и вибрация после оплаты',
    share: 'Поделиться квитанцией',
    calendar: 'Добавить в календарь',
  },
  trust: {
    title: 'Верен ли этот адрес?',
    signed: 'Эта установка подписала адрес. Проверьте его, лучше на другом устройстве:',
    check: 'Проверить адрес',
    host: (host) =>
      `Платите, только если в адресной строке браузера стоит ${host}. Кто вам помогает, не спрашивает слова вашего кошелька.`,
    domain: 'Проверенный домен',
    verified: 'Этот адрес выдан здесь',
    verifiedHint: 'Сравните его знак за знаком с тем, что показывает кошелёк.',
    unsigned: 'Этот адрес выдан не здесь, или в нём изменён знак. Ничего на него не отправляйте.',
    key: 'Открытый ключ (Ed25519)',
    place: 'Адрес или ссылка для проверки со страницы оплаты',
    memo: 'Memo или тег, если он есть',
    signature: 'Подпись',
    signatureHint:
      'Подпись находится в этой ссылке. Один адрес ничего не говорит: именно его подпись больше никто не может сделать.',
  },
};
