// Portuguese of people.

import type { PeopleTexts } from './en.ts';

export const ptPeople: PeopleTexts = {
  people: {
    mailed: {
      PENDING: 'E-mail escrito, a caminho desde',
      SENT: 'Enviado por e-mail',
      PARKED: 'O e-mail foi recusado',
    },
    title: 'Pessoas',
    who: 'Quem pode fazer o quê',
    you: 'você',
    role: 'Função',
    change: 'Alterar',
    invite: 'Convidar alguém',
    name: 'Nome',
    email: 'E-mail',
    submit: 'Criar o convite',
    link: 'Entregue este link à pessoa. Ele funciona uma só vez, durante sete dias, e é mostrado só agora.',
    open: 'Convites em aberto',
    until: 'Válido até',
    withdraw: 'Cancelar convite',
  },
  signInLink: {
    send: 'Enviar um link por e-mail',
    sent: 'Um link está a caminho',
    sentHint:
      'Se alguém é conhecido aqui por este e-mail, recebe em instantes uma mensagem com um link. Ele funciona uma vez, por quinze minutos.',
    title: 'Entrar com um link',
    hint: 'Este link faz você entrar uma vez. Dinheiro, chaves e pessoas pedem mesmo assim a sua senha ou chave de acesso.',
    gone: 'Este link já foi usado ou é antigo demais. Peça outro.',
  },
  trail: {
    title: 'Registro',
    hint: 'O que fizeram as pessoas e as chaves desta loja, o que foi feito com ela na linha de comando e o que o servidor fez por ela, com o que foi anotado em cada ato. Ninguém o muda nem o apaga.',
    aboutHint: 'transfer:ID; ou transfer, key, beneficiary, person: tudo desse tipo',
    sentFrom: 'De onde',
    asCsv: 'Estes como tabela (CSV)',
    asJson: 'Estes como JSON',
  },
  keyboard: {
    title: 'Teclado',
    search: 'Procurar',
    help: 'Estas teclas',
    on: 'Usar estas teclas neste navegador',
    close: 'Fechar',
  },
};
