"use strict";
const field = document.getElementById("filter");
const count = document.getElementById("count");
const cards = [...document.querySelectorAll(".card")];
const texts = cards.map((card) => card.textContent.toLowerCase());
field.addEventListener("input", () => {
  const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
  let shown = 0;
  cards.forEach((card, at) => {
    const fits = words.every((word) => texts[at].includes(word));
    card.hidden = !fits;
    shown += fits ? 1 : 0;
  });
  count.textContent = shown + (shown === 1 ? " entry" : " entries");
});
