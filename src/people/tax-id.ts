// Brazilian tax numbers with their two check digits (Receita Federal): CPF of people, CNPJ of
// companies, which may hold letters since 2026 (IN RFB 2.229/2024).

/** Without punctuation; undefined when it is neither. */
export function canonicalTaxId(text: string): string | undefined {
  return canonicalCpf(text) ?? canonicalCnpj(text);
}

export function canonicalCpf(text: string): string | undefined {
  const [, ...parts] = /^(\d{3})\.?(\d{3})\.?(\d{3})-?(\d{2})$/.exec(text) ?? [];
  const cpf = parts.join('');
  if (cpf === '' || isOneCharacter(cpf)) return undefined;
  return cpf.endsWith(cpfCheckDigits(cpf.slice(0, 9))) ? cpf : undefined;
}

export function canonicalCnpj(text: string): string | undefined {
  const pattern = /^([A-Z0-9]{2})\.?([A-Z0-9]{3})\.?([A-Z0-9]{3})\/?([A-Z0-9]{4})-?(\d{2})$/;
  const [, ...parts] = pattern.exec(text.toUpperCase()) ?? [];
  const cnpj = parts.join('');
  if (cnpj === '' || isOneCharacter(cnpj)) return undefined;
  return cnpj.endsWith(cnpjCheckDigits(cnpj.slice(0, 12))) ? cnpj : undefined;
}

/** Of the first nine digits. */
export function cpfCheckDigits(base: string): string {
  const first = checkDigit(base, 11);
  return first + checkDigit(base + first, 11);
}

/** Of the first twelve characters. */
export function cnpjCheckDigits(base: string): string {
  const first = checkDigit(base, 9);
  return first + checkDigit(base + first, 9);
}

/** Weights 2, 3, ... from the right, from 2 again after `mostWeight`; modulo 11. */
function checkDigit(base: string, mostWeight: number): string {
  let sum = 0;
  for (let place = 0; place < base.length; place += 1) {
    const value = base.charCodeAt(base.length - 1 - place) - 48;
    sum += value * (2 + (place % (mostWeight - 1)));
  }
  const remainder = sum % 11;
  return String(remainder < 2 ? 0 : 11 - remainder);
}

/** The check digits of 111.111.111-11 are right, and nobody has it. */
function isOneCharacter(text: string): boolean {
  return text === text.charAt(0).repeat(text.length);
}
