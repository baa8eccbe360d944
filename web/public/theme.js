// Before the first paint: the remembered theme and language, so that nothing flashes. And a watch over the page's own script: where
// it does not come, the page says so in both languages (index.html) and is asked for again, later each time.
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

  var COUNT = 'qiguan-failed';
  var count = function (n) {
    try {
      if (n === undefined) return Number(sessionStorage.getItem(COUNT)) || 0;
      sessionStorage.setItem(COUNT, String(n));
    } catch {}
    return n || 0;
  };
  // How often something has failed without which there is no page; 0: the page stands.
  window.told = function (failed) {
    if (failed === 0) count(0);
    else document.documentElement.dataset.waits = '';
  };
  var later = function (failed, act) {
    setTimeout(act, Math.min(60000, 1000 * Math.pow(2, failed)) * (0.5 + Math.random() / 2));
  };
  var coming = false;
  var styles = 0;
  addEventListener(
    'error',
    function (event) {
      var what = event.target;
      if (what && what.rel === 'stylesheet') {
        // In its place, since to load the page again would take back what a person did meanwhile.
        later(++styles, function () {
          what.replaceWith(what.cloneNode());
        });
      } else if (!coming && what && what.localName === 'script') {
        coming = true;
        window.told(1);
        later(count(count() + 1), function () {
          location.reload();
        });
      }
    },
    true,
  );
})();
