// Before the first paint: the remembered theme and language, so that nothing flashes.
(function () {
  var kept = {};
  try {
    kept = JSON.parse(localStorage.getItem('qiguan') || '{}');
  } catch {}
  var theme = kept.theme;
  if (theme !== 'light' && theme !== 'dark' && theme !== 'contrast') {
    theme = matchMedia('(prefers-contrast: more)').matches
      ? 'contrast'
      : matchMedia('(prefers-color-scheme: dark)').matches
        ? 'dark'
        : 'light';
  }
  document.documentElement.dataset.theme = theme;
  document.documentElement.lang = kept.lang || (/^zh/i.test(navigator.language) ? 'zh' : 'en');
})();
