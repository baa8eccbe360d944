# What the package for Python refuses.
problem-action-not-legal = Action { $action } is not legal here. The game has { $actions } actions; legal_actions() lists those that are legal now.
problem-batch-action-not-legal = Action { $action } is not legal in game { $game } of the batch. Nothing was played; legal_actions() lists what is legal.
problem-batch-too-large = An array of { $numbers } numbers is more than the { $most } that are made at once. Use fewer games.
problem-unknown-record-format = There is no record format "{ $format }". There are: { $known }.
problem-unknown-notation = There is no notation "{ $notation }" of moves in PGN. There are: chinese, wxf, iccs.
problem-python-record-format = The format cannot be told from the content. Name one.
problem-python-too-many-records = There are more than { $most } games in it. iterate() reads as many as there are in a file, one after another.
