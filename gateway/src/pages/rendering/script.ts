/**
 * The script of every page. Pages are complete without it; it adds buttons that copy commands, and shows one of the two forms of a request
 * at a time. It builds elements from constants only.
 */
export const script = `'use strict';
(() => {
  const make = (tag, properties, attributes = {}) => {
    const element = Object.assign(document.createElement(tag), properties);
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };

  const addCopyButton = (block) => {
    const box = make('div', { className: 'copied' });
    const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' });
    const status = make('span', { className: 'soft' }, { role: 'status' });
    button.addEventListener('click', () => {
      navigator.clipboard.writeText(block.textContent.trim()).then(
        () => { status.textContent = 'Copied'; },
        () => { status.textContent = 'The browser refused; select the text and copy it.'; },
      );
    });
    block.before(box);
    box.append(block, button, status);
  };
  // Browsers offer the clipboard to pages behind https and on localhost only.
  if (navigator.clipboard) document.querySelectorAll('pre.wrap').forEach(addCopyButton);

  const addTabs = (forms) => {
    const panels = [...forms.children];
    if (panels.length < 2) return;
    const list = make('div', { className: 'tabs' }, { role: 'tablist', 'aria-label': 'Kind of form' });
    const tabs = panels.map((panel, i) => {
      panel.id = forms.id + '-panel-' + i;
      panel.setAttribute('role', 'tabpanel');
      const attributes = { role: 'tab', 'aria-controls': panel.id };
      const tab = make('button', { type: 'button', id: panel.id + '-tab', textContent: panel.dataset.tab }, attributes);
      panel.setAttribute('aria-labelledby', tab.id);
      return tab;
    });
    const select = (chosen) => tabs.forEach((tab, i) => {
      tab.setAttribute('aria-selected', String(i === chosen));
      tab.tabIndex = i === chosen ? 0 : -1;
      panels[i].hidden = i !== chosen;
    });
    tabs.forEach((tab, i) => {
      tab.addEventListener('click', () => select(i));
      tab.addEventListener('keydown', ({ key }) => {
        const step = { ArrowRight: 1, ArrowLeft: -1 }[key];
        if (step === undefined) return;
        const next = (i + step + tabs.length) % tabs.length;
        select(next);
        tabs[next].focus();
      });
    });
    list.append(...tabs);
    forms.prepend(list);
    forms.classList.add('tabbed');
    select(Math.max(0, panels.findIndex((panel) => 'sent' in panel.dataset)));
  };
  document.querySelectorAll('.forms').forEach(addTabs);
})();
`;
