// What a page plays, heard at the loudspeaker: everything that goes to the output of an AudioContext
// goes through an analyser too. So silence, a context that the browser has suspended, and another note
// are told from the sound that was meant. The analyser keeps the last two thirds of a second: a page
// that is held up for longer than a note lasts hears it all the same.
import type { BrowserContext, Page } from 'playwright-core';

/** Of the pages that this browser opens from now on. */
export async function listenToPages(context: BrowserContext): Promise<void> {
  await context.addInitScript(`(() => {
    const connect = AudioNode.prototype.connect;
    const heard = [];
    window.heardNotes = heard;
    AudioNode.prototype.connect = function (target, ...rest) {
      if (target !== this.context.destination) return connect.call(this, target, ...rest);
      const ear = this.context.createAnalyser();
      ear.fftSize = 32768;
      const kept = new Float32Array(ear.fftSize);
      const { sampleRate } = this.context;
      const piece = 2048;
      let heardUntil = this.context.currentTime;
      const listen = () => {
        const passed = Math.round((this.context.currentTime - heardUntil) * sampleRate);
        const pieces = Math.floor(Math.min(passed, kept.length) / piece);
        if (pieces === 0) return;
        heardUntil = this.context.currentTime;
        ear.getFloatTimeDomainData(kept);
        for (let left = pieces; left > 0; left -= 1) {
          const from = kept.length - left * piece;
          const wave = kept.subarray(from, from + piece);
          // A hundredth of full loudness: what nobody would hear at a counter does not count.
          if (!wave.some((one) => Math.abs(one) > 0.01)) continue;
          const crossings = wave.filter((one, at) => at > 0 && one >= 0 !== wave[at - 1] >= 0);
          heard.push((crossings.length * sampleRate) / (2 * piece));
        }
      };
      setInterval(listen, 100);
      connect.call(this, ear);
      return connect.call(ear, target);
    };
  })()`);
}

/** Frequencies in Hz of what was heard, piece by piece and in order, to the nearest ten. */
export async function notesHeard(page: Page): Promise<number[]> {
  const notes = await page.evaluate<number[]>('window.heardNotes ?? []');
  return notes.map((note) => Math.round(note / 10) * 10);
}
