// What a page plays, heard at the loudspeaker: everything that goes to the output of an AudioContext
// goes through an analyser too. So silence, a context that the browser has suspended, and another note
// are told from the sound that was meant.
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
      ear.fftSize = 4096;
      const loudness = new Float32Array(ear.frequencyBinCount);
      const listen = () => {
        ear.getFloatFrequencyData(loudness);
        const loudest = loudness.reduce((best, one, bin) => (one > loudness[best] ? bin : best), 0);
        // Decibels of full loudness: what nobody would hear at a counter does not count.
        if (loudness[loudest] > -40) heard.push((loudest * this.context.sampleRate) / ear.fftSize);
      };
      setInterval(listen, 30);
      connect.call(this, ear);
      return connect.call(ear, target);
    };
  })()`);
}

/** Frequencies in Hz that were the loudest of some moment, in order, to the nearest ten. */
export async function notesHeard(page: Page): Promise<number[]> {
  const notes = await page.evaluate<number[]>('window.heardNotes ?? []');
  return notes.map((note) => Math.round(note / 10) * 10);
}
