export default function Page() {
  return (
    <form method="post" action="/buy">
      <button type="submit">A good book, 19.90 EUR</button>
    </form>
  );
}
