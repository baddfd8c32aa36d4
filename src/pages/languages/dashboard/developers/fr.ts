import type { DeveloperTexts } from './en.ts';

export const frDevelopers: DeveloperTexts = {
  authentication: {
    title: 'Authentification',
    hint: 'Comment les programmes de cette boutique s’identifient. Cela vaut pour toutes les clés existantes avec ce type d’argent et pour les suivantes\u00a0; ce qui déplace de l’argent est toujours signé.',
    label: 'Méthode préférée',
    DIGEST: 'Digest\u00a0: les requêtes sont signées (recommandé)',
    BASIC: 'X-Basic aussi\u00a0: une valeur fixe, pour des essais',
    submit: 'Choisir',
  },
  receivers: {
    tellIn: (version) => `Annoncer les événements en ${version}`,
  },
  checkoutSecret: {
    title: 'Secret des paiements',
    hint: 'Il signe ce qui part vers le webhook qu’un paiement nomme lui-même. Les extensions des logiciels de boutique le demandent.',
    show: 'Afficher le secret',
  },
  chains: {
    title: 'Réseaux simulés',
    hint: 'Ce qu’un mineur et un nœud pourraient faire de vos paiements de test. Seuls les paiements de cette boutique sont touchés : les autres boutiques n’en voient rien. Les programmes font de même avec POST /sandbox/mine, /sandbox/reorg et /sandbox/freeze.',
    off: 'Les réseaux simulés sont désactivés sur ce serveur.',
    height: 'Dernier bloc',
    instant: 'Ici chaque paiement est aussitôt définitif : il forme un bloc à lui seul.',
    silentUntil: 'Son nœud se tait jusqu’à',
    blocks: 'Combien de blocs',
    mine: 'Créer des blocs',
    mineAll: 'Créer des blocs partout',
    reorg: 'Annuler des blocs',
    silentFor: 'Combien de temps le nœud se tait',
    stop: 'Arrêter le réseau',
    goOn: 'Continuer maintenant',
    done: 'C’est fait. Voici l’état actuel des réseaux.',
    count: (most: string) => `Écrivez un nombre entier de 1 à ${most}.`,
  },
  requests: {
    title: 'Requêtes',
    hint: 'Ce que vos programmes ont demandé à l’API ces sept derniers jours. Les secrets sont coupés.',
    looked: (count: string) =>
      `${count} ont été examinés pour cette page ; il peut y en avoir d’autres parmi les plus anciens.`,
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
    told: {
      CHECKOUT_COMPLETED: 'Un paiement a été réglé en entier ; le solde est à jour',
      CHECKOUT_PENDING: 'De l’argent a été vu pour un paiement et n’est pas encore définitif',
      CHECKOUT_UNDERPAID: 'L’argent définitif est inférieur à ce qu’il faut',
      CHECKOUT_EXPIRED: 'Le délai d’un paiement a pris fin sans argent définitif',
      CHECKOUT_CANCELLED: 'Un paiement a été annulé par la boutique ou le client',
      CHECKOUT_REVERSED: 'Le réseau a repris de l’argent déjà crédité',
      CHECKOUT_RESTORED:
        'L’argent que le réseau avait repris, ou un autre à sa place, est de retour',
      CHECKOUT_PAID_AGAIN: 'Un autre versement a été crédité après la fin du paiement',
      CHECKOUT_PENDING_WITHDRAWN:
        'L’argent de CHECKOUT_PENDING n’arrivera pas : il n’a pas été crédité',
      CHECKOUT_MISDIRECTED:
        'L’argent est venu dans un autre actif ou sur un autre réseau que demandé',
      UNDERPAID_ACCEPTED: 'Un paiement insuffisant a été accepté avec ce qui est arrivé',
      REFUND_RESTS:
        'Un remboursement vers une nouvelle adresse au-dessus d’une limite part plus tard : d’ici là il peut être annulé',
      REFUND_COMPLETED: 'Un remboursement est arrivé',
      REFUND_FAILED:
        'Un remboursement n’a pas été envoyé et ne le sera jamais ; son argent est revenu où il était',
      REFUND_REOPENED:
        'Un remboursement était arrivé, ou avait échoué, et le réseau l’a défait : il est de nouveau en route',
      REFUND_RETURNED:
        'Un remboursement était arrivé et a été renvoyé ; son argent est revenu où il était',
      DEPOSIT_PENDING: 'De l’argent a été vu à une adresse de dépôt et n’est pas encore définitif',
      DEPOSIT_PENDING_WITHDRAWN:
        'L’argent de DEPOSIT_PENDING n’est plus sur le réseau : il n’a pas été crédité',
      DEPOSIT_COMPLETED: 'L’argent d’une adresse de dépôt a été crédité',
      DEPOSIT_REVERSED: 'Le réseau a repris de l’argent crédité d’une adresse de dépôt',
      DEPOSIT_MISDIRECTED:
        'De l’argent d’un autre actif est venu à une adresse de dépôt : il attend que quelqu’un décide',
      SUSPENSE_RESOLVED:
        'De l’argent non attribué vous a été attribué, rendu au payeur ou passé en perte',
      SWAP_COMPLETED: 'Un échange a été exécuté',
      SWAP_FAILED: 'Un échange n’a pas pu être exécuté',
      TRANSFER_COMPLETED: 'Un virement est arrivé',
      TRANSFER_FAILED: 'Un virement ne peut pas arriver ; son argent est de nouveau disponible',
      TRANSFER_REOPENED:
        'Un virement était arrivé, ou avait échoué, et le réseau l’a défait : il est de nouveau en route',
      TRANSFER_RETURNED:
        'Un virement était arrivé et a été renvoyé ; ce qui est revenu est de nouveau disponible',
      SETTLEMENT_SKIPPED:
        'Une règle de règlement était due et n’a pas pu être suivie : dit une fois par motif, pendant les nouveaux essais',
    },
  },
};
