// Links in letters: the part after `#` names their purpose, and no other text is taken for one.

import { describe, expect, it } from 'vitest';
import { errandOf } from '../src/lib/mail';

describe('a link in a letter', () => {
  it.each([
    ['confirms', '#confirm=abc23', { what: 'confirm', link: 'abc23' }],
    ['sets a password', '#recover=abc23', { what: 'recover', link: 'abc23' }],
    ['stops letters', '#stop=a-B_9', { what: 'stop', link: 'a-B_9' }],
    ['is not there', '', { what: 'lost' }],
    ['was cut off', '#confirm=', { what: 'lost' }],
    ['is for something else', '#delete=abc', { what: 'lost' }],
    ['holds what no link holds', '#stop=a&again=true', { what: 'lost' }],
    ['leads elsewhere', '#confirm=../../x', { what: 'lost' }],
  ])('%s', (_, hash, wanted) => {
    expect(errandOf(hash)).toEqual(wanted);
  });
});
