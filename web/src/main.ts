import { mount } from 'svelte';
import App from './App.svelte';
import { keepFiles } from './lib/keep';
import { untilDone } from './lib/patience.svelte';
import { fetchPlace } from './lib/places';
import { follow, route } from './lib/router.svelte';
import { dressAlways, settings } from './lib/settings.svelte';
import { learn } from './lib/texts.svelte';
import './style.css';
import './boards.css';
import './print.css';

dressAlways();
follow();
fetchPlace(route.place);

// Until the texts are loaded, the page says in both languages that it waits for them (index.html).
void untilDone(() => learn(settings.lang), window.told).then(() => {
  const target = document.getElementById('app');
  if (!target) return;
  target.replaceChildren();
  mount(App, { target });
  window.told?.(0);
});

if (import.meta.env.PROD) keepFiles();
