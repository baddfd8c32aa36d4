<?php

// Made from the OpenAPI document by test/clients; what is changed here is lost.

declare(strict_types=1);

namespace Quittance\Model;

use Quittance\Record;

/**
 * @property-read string $font Families that devices have.
 * @property-read int $cornerRadius Of a card, in pixels, 0 to 24.
 * @property-read string|null $primaryColor Of buttons: `#rrggbb`, null: as we make it.
 * @property-read string|null $backgroundColor Behind the cards: `#rrggbb`, null: as we make it.
 * @property-read list<mixed> $colors Of single things, `dark-surface=#1c2226`, readable on what they stand on.
 * @property-read list<mixed> $blocks Parts of a page, each once, in their order.
 * @property-read list<PageWords> $words Your own words on your pages.
 * @property-read string|null $logo Beside your name: path of the picture, null without one.
 * @property-read string|null $darkLogo The same where pages are dark: path of the picture, null without one.
 * @property-read string|null $fontFile Your own font: path of the file, null without one.
 * @property-read string|null $boldFontFile The same for bold text: path of the file, null without one.
 */
final class PageLook extends Record
{
    protected const FIELDS = [
        'words' => [PageWords::class],
    ];
}
