// The money of states that charges are written in and credited in: decimals of ISO 4217, and who
// issues it. VEF was withdrawn in 2018: it is quoted only while enough sources still price it.

export type FiatMoney = {
  readonly decimals: number;
  readonly name: string;
  readonly hexColor: string;
  readonly issuerName: string;
  readonly issuerDomain: string;
  readonly issuerAddress: string;
};

function centralBank(issuerName: string, issuerDomain: string, issuerAddress: string) {
  return { issuerName, issuerDomain, issuerAddress };
}

/** By ISO 4217 code. */
export const FIAT_MONEY: Readonly<Record<string, FiatMoney>> = {
  AED: {
    decimals: 2,
    name: 'United Arab Emirates Dirham',
    hexColor: '#1b6ca8',
    ...centralBank(
      'Central Bank of the United Arab Emirates',
      'centralbank.ae',
      'Abu Dhabi, United Arab Emirates',
    ),
  },
  ARS: {
    decimals: 2,
    name: 'Argentine Peso',
    hexColor: '#8a4b08',
    ...centralBank(
      'Banco Central de la República Argentina',
      'bcra.gob.ar',
      'Buenos Aires, Argentina',
    ),
  },
  AUD: {
    decimals: 2,
    name: 'Australian Dollar',
    hexColor: '#2f6f4f',
    ...centralBank('Reserve Bank of Australia', 'rba.gov.au', 'Sydney, Australia'),
  },
  BDT: {
    decimals: 2,
    name: 'Bangladeshi Taka',
    hexColor: '#7a1f5c',
    ...centralBank('Bangladesh Bank', 'bb.org.bd', 'Dhaka, Bangladesh'),
  },
  BHD: {
    decimals: 3,
    name: 'Bahraini Dinar',
    hexColor: '#44546a',
    ...centralBank('Central Bank of Bahrain', 'cbb.gov.bh', 'Manama, Bahrain'),
  },
  BMD: {
    decimals: 2,
    name: 'Bermudian Dollar',
    hexColor: '#a23b2a',
    ...centralBank('Bermuda Monetary Authority', 'bma.bm', 'Hamilton, Bermuda'),
  },
  BRL: {
    decimals: 2,
    name: 'Brazilian Real',
    hexColor: '#1f7a3d',
    ...centralBank(
      'Banco Central do Brasil',
      'bcb.gov.br',
      'SBS Quadra 3 Bloco B, Brasilia DF 70074-900, Brazil',
    ),
  },
  CAD: {
    decimals: 2,
    name: 'Canadian Dollar',
    hexColor: '#5a3ea6',
    ...centralBank('Bank of Canada', 'bankofcanada.ca', 'Ottawa, Canada'),
  },
  CHF: {
    decimals: 2,
    name: 'Swiss Franc',
    hexColor: '#d52b1e',
    ...centralBank('Swiss National Bank', 'snb.ch', 'Boersenstrasse 15, 8022 Zurich, Switzerland'),
  },
  CLP: {
    decimals: 0,
    name: 'Chilean Peso',
    hexColor: '#6b4a3a',
    ...centralBank('Banco Central de Chile', 'bcentral.cl', 'Santiago, Chile'),
  },
  CNY: {
    decimals: 2,
    name: 'Chinese Yuan',
    hexColor: '#1b6ca8',
    ...centralBank("People's Bank of China", 'pbc.gov.cn', 'Beijing, China'),
  },
  CZK: {
    decimals: 2,
    name: 'Czech Koruna',
    hexColor: '#8a4b08',
    ...centralBank('Czech National Bank', 'cnb.cz', 'Prague, Czechia'),
  },
  DKK: {
    decimals: 2,
    name: 'Danish Krone',
    hexColor: '#2f6f4f',
    ...centralBank('Danmarks Nationalbank', 'nationalbanken.dk', 'Copenhagen, Denmark'),
  },
  EUR: {
    decimals: 2,
    name: 'Euro',
    hexColor: '#10298e',
    ...centralBank(
      'European Central Bank',
      'ecb.europa.eu',
      'Sonnemannstrasse 20, 60314 Frankfurt am Main, Germany',
    ),
  },
  GBP: {
    decimals: 2,
    name: 'Pound Sterling',
    hexColor: '#5b2a86',
    ...centralBank(
      'Bank of England',
      'bankofengland.co.uk',
      'Threadneedle Street, London EC2R 8AH, United Kingdom',
    ),
  },
  HKD: {
    decimals: 2,
    name: 'Hong Kong Dollar',
    hexColor: '#a23b2a',
    ...centralBank('Hong Kong Monetary Authority', 'hkma.gov.hk', 'Hong Kong'),
  },
  HUF: {
    decimals: 2,
    name: 'Hungarian Forint',
    hexColor: '#4b5d16',
    ...centralBank('Magyar Nemzeti Bank', 'mnb.hu', 'Budapest, Hungary'),
  },
  IDR: {
    decimals: 2,
    name: 'Indonesian Rupiah',
    hexColor: '#5a3ea6',
    ...centralBank('Bank Indonesia', 'bi.go.id', 'Jakarta, Indonesia'),
  },
  ILS: {
    decimals: 2,
    name: 'Israeli New Shekel',
    hexColor: '#0f6f78',
    ...centralBank('Bank of Israel', 'boi.org.il', 'Jerusalem, Israel'),
  },
  INR: {
    decimals: 2,
    name: 'Indian Rupee',
    hexColor: '#6b4a3a',
    ...centralBank('Reserve Bank of India', 'rbi.org.in', 'Mumbai, India'),
  },
  JPY: {
    decimals: 0,
    name: 'Japanese Yen',
    hexColor: '#1b6ca8',
    ...centralBank('Bank of Japan', 'boj.or.jp', 'Tokyo, Japan'),
  },
  KRW: {
    decimals: 0,
    name: 'South Korean Won',
    hexColor: '#8a4b08',
    ...centralBank('Bank of Korea', 'bok.or.kr', 'Seoul, South Korea'),
  },
  KWD: {
    decimals: 3,
    name: 'Kuwaiti Dinar',
    hexColor: '#2f6f4f',
    ...centralBank('Central Bank of Kuwait', 'cbk.gov.kw', 'Kuwait City, Kuwait'),
  },
  LKR: {
    decimals: 2,
    name: 'Sri Lankan Rupee',
    hexColor: '#7a1f5c',
    ...centralBank('Central Bank of Sri Lanka', 'cbsl.gov.lk', 'Colombo, Sri Lanka'),
  },
  MMK: {
    decimals: 2,
    name: 'Myanmar Kyat',
    hexColor: '#44546a',
    ...centralBank('Central Bank of Myanmar', 'cbm.gov.mm', 'Naypyidaw, Myanmar'),
  },
  MXN: {
    decimals: 2,
    name: 'Mexican Peso',
    hexColor: '#a23b2a',
    ...centralBank('Banco de México', 'banxico.org.mx', 'Mexico City, Mexico'),
  },
  MYR: {
    decimals: 2,
    name: 'Malaysian Ringgit',
    hexColor: '#4b5d16',
    ...centralBank('Bank Negara Malaysia', 'bnm.gov.my', 'Kuala Lumpur, Malaysia'),
  },
  NGN: {
    decimals: 2,
    name: 'Nigerian Naira',
    hexColor: '#5a3ea6',
    ...centralBank('Central Bank of Nigeria', 'cbn.gov.ng', 'Abuja, Nigeria'),
  },
  NOK: {
    decimals: 2,
    name: 'Norwegian Krone',
    hexColor: '#0f6f78',
    ...centralBank('Norges Bank', 'norges-bank.no', 'Oslo, Norway'),
  },
  NZD: {
    decimals: 2,
    name: 'New Zealand Dollar',
    hexColor: '#6b4a3a',
    ...centralBank('Reserve Bank of New Zealand', 'rbnz.govt.nz', 'Wellington, New Zealand'),
  },
  PHP: {
    decimals: 2,
    name: 'Philippine Peso',
    hexColor: '#1b6ca8',
    ...centralBank('Bangko Sentral ng Pilipinas', 'bsp.gov.ph', 'Manila, Philippines'),
  },
  PKR: {
    decimals: 2,
    name: 'Pakistani Rupee',
    hexColor: '#8a4b08',
    ...centralBank('State Bank of Pakistan', 'sbp.org.pk', 'Karachi, Pakistan'),
  },
  PLN: {
    decimals: 2,
    name: 'Polish Zloty',
    hexColor: '#2f6f4f',
    ...centralBank('Narodowy Bank Polski', 'nbp.pl', 'Warsaw, Poland'),
  },
  RUB: {
    decimals: 2,
    name: 'Russian Rouble',
    hexColor: '#7a1f5c',
    ...centralBank('Bank of Russia', 'cbr.ru', 'Moscow, Russia'),
  },
  SAR: {
    decimals: 2,
    name: 'Saudi Riyal',
    hexColor: '#44546a',
    ...centralBank('Saudi Central Bank', 'sama.gov.sa', 'Riyadh, Saudi Arabia'),
  },
  SEK: {
    decimals: 2,
    name: 'Swedish Krona',
    hexColor: '#a23b2a',
    ...centralBank('Sveriges Riksbank', 'riksbank.se', 'Stockholm, Sweden'),
  },
  SGD: {
    decimals: 2,
    name: 'Singapore Dollar',
    hexColor: '#4b5d16',
    ...centralBank('Monetary Authority of Singapore', 'mas.gov.sg', 'Singapore'),
  },
  THB: {
    decimals: 2,
    name: 'Thai Baht',
    hexColor: '#5a3ea6',
    ...centralBank('Bank of Thailand', 'bot.or.th', 'Bangkok, Thailand'),
  },
  TRY: {
    decimals: 2,
    name: 'Turkish Lira',
    hexColor: '#0f6f78',
    ...centralBank('Central Bank of the Republic of Türkiye', 'tcmb.gov.tr', 'Ankara, Türkiye'),
  },
  TWD: {
    decimals: 2,
    name: 'New Taiwan Dollar',
    hexColor: '#6b4a3a',
    ...centralBank(
      'Central Bank of the Republic of China (Taiwan)',
      'cbc.gov.tw',
      'Taipei, Taiwan',
    ),
  },
  UAH: {
    decimals: 2,
    name: 'Ukrainian Hryvnia',
    hexColor: '#1b6ca8',
    ...centralBank('National Bank of Ukraine', 'bank.gov.ua', 'Kyiv, Ukraine'),
  },
  USD: {
    decimals: 2,
    name: 'US Dollar',
    hexColor: '#3a6b35',
    ...centralBank(
      'Federal Reserve System',
      'federalreserve.gov',
      '20th Street and Constitution Avenue NW, Washington, DC 20551, United States',
    ),
  },
  VEF: {
    decimals: 2,
    name: 'Venezuelan Bolivar (Fuerte)',
    hexColor: '#2f6f4f',
    ...centralBank('Banco Central de Venezuela', 'bcv.org.ve', 'Caracas, Venezuela'),
  },
  VND: {
    decimals: 0,
    name: 'Vietnamese Dong',
    hexColor: '#7a1f5c',
    ...centralBank('State Bank of Vietnam', 'sbv.gov.vn', 'Hanoi, Vietnam'),
  },
  ZAR: {
    decimals: 2,
    name: 'South African Rand',
    hexColor: '#44546a',
    ...centralBank('South African Reserve Bank', 'resbank.co.za', 'Pretoria, South Africa'),
  },
};
