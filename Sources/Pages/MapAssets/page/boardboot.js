// Shows the board.

window.board = new Board();
