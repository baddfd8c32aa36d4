import type { DeveloperTexts } from './en.ts';

export const frDevelopers: DeveloperTexts = {
  requests: {
    title: 'Requêtes',
    hint: 'Ce que vos programmes ont demandé à l’API ces sept derniers jours. Les secrets sont coupés.',
    missed: (count: string) =>
      `${count} requêtes manquent ici : il y en avait trop à la fois, ou elles n’ont pas pu être écrites.`,
    status: 'Réponse',
    succeeded: 'Succès (2xx)',
    refused: 'Refusée (4xx)',
    failed: 'Échouée (5xx)',
    path: 'Le chemin commence par',
    key: 'Clé d’API',
    at: 'Heure',
    duration: 'Durée',
    address: 'De',
    asked: 'Ce qui a été demandé',
    answered: 'Ce qui a été répondu',
    bytes: (count: string) => `${count} octets`,
    unproven: 'L’expéditeur n’a pas prouvé la clé : rien de ce qu’il a envoyé n’est gardé.',
    notKept: 'Le corps n’est pas gardé : ce n’est pas du JSON, ou il est trop long.',
  },
  testEvent: {
    title: 'Essayer un destinataire',
    hint: 'Un événement signé avec des données inventées part vers un destinataire. Son texte dit "test": true, et rien de cela n’est arrivé.',
    receiver: 'Destinataire',
    kind: 'Type',
    send: 'Envoyer un événement d’essai',
    mark: 'Événement d’essai : rien de cela n’est arrivé.',
  },
  eventKinds: {
    title: 'Types d’événements',
    hint: 'Quand chacun est annoncé, et à quoi il ressemble. Les données sont inventées.',
    example: 'Exemple',
  },
};
